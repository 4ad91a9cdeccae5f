// The virtual GPU has no library of a vendor. A file of its own, so that a test can put another in its place.

#include <tilestep/backend/vendor_gemm.hpp>  // what is implemented here

namespace tilestep {

struct VendorLibrary::Implementation {
  std::string name;
  std::string missing = "the virtual GPU has no library of a vendor";
};

VendorLibrary::VendorLibrary() : implementation_(std::make_unique<Implementation>()) {}
VendorLibrary::~VendorLibrary() = default;
std::string const& VendorLibrary::name() const { return implementation_->name; }
std::string const& VendorLibrary::missing() const { return implementation_->missing; }
std::vector<std::string> VendorLibrary::modes(VendorGemm const&) const { return {}; }
std::string VendorLibrary::run(VendorGemm const&, std::string const&) { return implementation_->missing; }

}  // namespace tilestep
