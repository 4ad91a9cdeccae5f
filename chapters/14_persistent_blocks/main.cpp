// The chapter's program: the GEMM of chapter 13 for problems of every shape.
// ./tutorial run 14 builds and runs it.

#include "plan.hpp"     // plan_for, run, own_options

#include <tilestep/harness/chapter_figures.hpp>  // chapter_figures
#include <tilestep/harness/gemm_types.hpp>       // way_types

namespace {

using namespace tilestep;

std::string note(GemmCall const& call) { return describe(plan_for(call)); }

}  // namespace

int main(int argc, char** argv) {
  GemmChapter chapter;
  chapter.name = "14_persistent_blocks";
  chapter.adds = "blocks for problems that fill no whole wave: several tiles each, slices of K, tiles of three sizes";
  chapter.types = way_types();
  chapter.m = 129;
  chapter.n = 129;
  chapter.k = 67;
  chapter.schedules = true;
  chapter.run = [](GemmCall const& call) { run(plan_for(call)); };
  chapter.note = note;
  chapter.figures = chapter_figures;
  return gemm_main(argc, argv, chapter, own_options());
}
