// Errors in WebAssembly. The C++ library for it has no exceptions: what is thrown says its sentence and ends the
// program with its exit code. A page starts the next run with a new instance of the module.

#include <tilestep/backend/error.hpp>  // Error

#include <cstdio>    // std::fputs
#include <cstdlib>   // std::malloc, std::exit
#include <typeinfo>  // what was thrown

extern "C" {
void* __cxa_allocate_exception(std::size_t bytes) { return std::malloc(bytes); }
void __cxa_free_exception(void* exception) { std::free(exception); }
[[noreturn]] void __cxa_throw(void* exception, std::type_info* type, void (*)(void*)) {
  auto const* const error = *type == typeid(tilestep::Error) ? static_cast<tilestep::Error*>(exception) : nullptr;
  std::fputs(error != nullptr ? error->what() : "the module ran out of memory", stderr);
  std::fputs("\n", stderr);
  std::exit(error != nullptr ? int(error->code()) : 3);
}
}
