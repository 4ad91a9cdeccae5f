// The chapter's program: one product on as many devices as mpirun starts processes.
// ./tutorial run 21 builds and runs it.

#include "processes.hpp"  // run_processes
#include "program.hpp"    // several_main

int main(int argc, char** argv) { return tilestep::run_processes(argc, argv, tilestep::several_main); }
