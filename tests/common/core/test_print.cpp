#include <tilestep/core/print.hpp>       // tested here

#include <catch2/catch_test_macros.hpp>  // TEST_CASE

using namespace tilestep;

TEST_CASE("static integers print with an underscore", "[core][print]") {
  CHECK(to_string(_4{}) == "_4");
  CHECK(to_string(Int<-4>{}) == "_-4");
  CHECK(to_string(4) == "4");
  CHECK(to_string(std::int64_t{5000000000}) == "5000000000");
}

TEST_CASE("tuples print as trees without spaces", "[core][print]") {
  CHECK(to_string(make_tuple(_4{}, make_tuple(3, _2{}), _)) == "(_4,(3,_2),_)");
  CHECK(to_string(Tuple<>{}) == "()");
}

TEST_CASE("directions print their length and modes", "[core][print]") {
  CHECK(to_string(E<1>{}) == "_1@1");
  CHECK(to_string(E<1, 0>{} * 16) == "16@0@1");
}
