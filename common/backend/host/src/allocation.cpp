// Device memory of the virtual GPU.

#include <tilestep/backend/error.hpp>                   // bad_input
#include <tilestep/backend/virtual_gpu/access.hpp>      // poison
#include <tilestep/backend/virtual_gpu/allocation.hpp>  // what is implemented here
#include <tilestep/backend/virtual_gpu/unwritten.hpp>   // first_unwritten

#include <unistd.h>  // sysconf

#include <algorithm>  // std::upper_bound, std::clamp
#include <bit>        // std::bit_floor
#include <cstdlib>    // std::aligned_alloc
#include <cstring>    // std::memset, std::memchr

namespace tilestep::virtual_gpu {

namespace {

constexpr std::int64_t guard_bytes = 4096;

std::int64_t physical_memory() {
  auto const pages = std::int64_t(sysconf(_SC_PHYS_PAGES)), page = std::int64_t(sysconf(_SC_PAGE_SIZE));
  return pages > 0 ? pages * page : std::int64_t{1} << 31;  // WebAssembly does not tell, and cannot have much more
}

// The bytes that one record stands for: an element, if its size is a power of two.
std::int64_t recorded_size(std::int64_t element_size) {
  return std::int64_t(std::bit_floor(std::uint64_t(std::clamp<std::int64_t>(element_size, 1, 16))));
}

}  // namespace

Allocation::Allocation(std::string name, std::int64_t bytes, std::int64_t element_size)
    : name_(std::move(name)), bytes_(bytes), element_size_(element_size) {
  if (bytes < 0) bad_input(name_ + " would have a negative size: choose smaller extents");
  std::int64_t const most = physical_memory();
  if (bytes <= most) {
    std::int64_t const rounded = (bytes + 255) / 256 * 256;
    memory_ = static_cast<unsigned char*>(
        std::aligned_alloc(4096, std::size_t((rounded + 2 * guard_bytes + 4095) / 4096 * 4096)));
  }
  if (memory_ == nullptr) {
    bad_input(name_ + " needs " + std::to_string(bytes) + " bytes of memory, this machine has " + std::to_string(most) +
              ": choose smaller extents");
  }
  begin_ = memory_ + guard_bytes;
  std::memset(begin_, poison, std::size_t(bytes));
  is_written_ = ZeroedArray<unsigned char>(std::size_t(bytes));
}

Allocation::~Allocation() { std::free(memory_); }

bool Allocation::initialised(std::int64_t offset, std::int64_t bytes) const {
  return !is_written_ || std::memchr(is_written_.data() + offset, 0, std::size_t(bytes)) == nullptr;
}

void Allocation::set_initialised(std::int64_t offset, std::int64_t bytes) {
  if (!is_written_) return;
  if (offset == 0 && bytes == bytes_) return is_written_.reset();
  std::memset(is_written_.data() + offset, 1, std::size_t(bytes));
}

void Allocation::set_uninitialised(std::int64_t offset, std::int64_t bytes) {
  if (!is_written_) {
    is_written_ = ZeroedArray<unsigned char>(std::size_t(bytes_));
    std::memset(is_written_.data(), 1, std::size_t(bytes_));
  }
  std::memset(is_written_.data() + offset, 0, std::size_t(bytes));
}

void Allocation::note_data(std::int64_t offset, std::int64_t bytes) {
  if (offset == 0 && bytes == bytes_) looks_unwritten_ = 0;
  int const unit = unwritten_unit(element_size_);
  if (first_unwritten(begin_ + offset, bytes, unit) >= 0) looks_unwritten_ |= unsigned(unit);
}

void Allocation::begin_launch(bool overlaps, bool watches) {
  if (!overlaps) forget_kernels();
  watches_ = watches;
  if (is_written_ && initialised(0, bytes_)) is_written_.reset();
  doubtful_ = was_written_ = has_read_only_view_ = false;
}

void Allocation::note_view(bool read_only) {
  if (read_only) {
    has_read_only_view_ = true;
    if (!watches_) return;
    std::lock_guard const lock(mutex_);
    if (!is_read_) {
      is_read_ = ZeroedArray<std::atomic<unsigned char>>(std::size_t(bytes_ / recorded_size(element_size_) + 1));
    }
    return;
  }
  std::lock_guard const lock(mutex_);
  if (owners_) return;
  owners_ = Ownership(bytes_, std::countr_zero(std::uint64_t(recorded_size(element_size_))));
  old_contents_ = std::make_unique<Rollback>(begin_, bytes_);
  if (is_written_) old_is_written_ = std::make_unique<Rollback>(is_written_.data(), bytes_);
}

void Allocation::quick_read(std::int64_t offset, int bytes, std::uint64_t thread) {
  if (!owners_.read(offset, bytes, thread)) doubtful_ = true;
}

void Allocation::quick_write(std::int64_t offset, int bytes, std::uint64_t thread) {
  bool first_time = false;
  if (!owners_.write(offset, bytes, thread, first_time)) doubtful_ = true;
  if (!first_time) return;
  was_written_.store(true, std::memory_order_relaxed);
  old_contents_->keep(offset, bytes);
  if (!is_written_) return;
  old_is_written_->keep(offset, bytes);
  std::memset(is_written_.data() + offset, 1, std::size_t(bytes));
}

void Allocation::note_read_bytes(std::int64_t offset, int bytes) {
  int const shift = std::countr_zero(std::uint64_t(recorded_size(element_size_)));
  for (std::int64_t i = offset >> shift; i <= (offset + bytes - 1) >> shift; ++i)
    is_read_[std::size_t(i)].store(1, std::memory_order_relaxed);
}

std::vector<StreamRace> Allocation::note_launch(std::shared_ptr<Operation const> const& launch) {
  ByteRanges reads, writes;
  if (owners_) {
    owners_.for_each_touched([&](std::int64_t begin, std::int64_t end, bool is_write) {
      append(is_write ? writes : reads, begin, end);
    });
  }
  if (is_read_) {
    ByteRanges through_const;
    std::int64_t const size = recorded_size(element_size_);
    for (std::size_t i = 0; i < is_read_.size(); ++i) {
      if (is_read_[i].load(std::memory_order_relaxed) != 0)
        append(through_const, std::int64_t(i) * size, std::int64_t(i + 1) * size);
    }
    reads = united(std::move(reads), through_const);
  }
  if (reads.empty() && writes.empty()) return {};
  return stream_accesses_.note(launch, std::move(reads), std::move(writes));
}

void Allocation::begin_careful_pass() {
  if (old_contents_) old_contents_->undo();
  if (old_is_written_) old_is_written_->undo();
}

HistoryArray& Allocation::histories() {
  if (!histories_) histories_ = HistoryArray(bytes_, recorded_size(element_size_));
  return histories_;
}

void Allocation::follow_the_caller() {
  earlier_ = {};
  earlier_.kernel = "(the caller's)";
  earlier_.read = earlier_.wrote = earlier_.wrote_anywhere = true;
}

std::string const* Allocation::conflicting_kernel(std::int64_t offset, int bytes, bool is_write) const {
  if (is_write && earlier_.read) return &earlier_.kernel;
  if (!earlier_.wrote) return nullptr;
  return earlier_.wrote_anywhere || earlier_.owners.was_written(offset, bytes) ? &earlier_.kernel : nullptr;
}

void Allocation::end_launch(std::string const& kernel) {
  bool const wrote = was_written_, read = has_read_only_view_;
  if (wrote || read) earlier_.kernel = kernel;
  earlier_.read = earlier_.read || read;
  if (wrote) {
    earlier_.wrote_anywhere = earlier_.wrote;
    earlier_.wrote = true;
    earlier_.owners = std::move(owners_);
  }
  owners_ = Ownership();
  is_read_.reset();
  old_contents_.reset();
  old_is_written_.reset();
  histories_ = HistoryArray();
}

DeviceMemory& device_memory() {
  // never destroyed: buffers that are kept may be freed after all else
  static DeviceMemory& the_memory = *new DeviceMemory;
  return the_memory;
}

Allocation* DeviceMemory::find(std::uintptr_t address) {
  auto const after = std::upper_bound(allocations_.begin(), allocations_.end(), address,
                                      [](std::uintptr_t a, auto const& allocation) { return a < allocation->begin(); });
  if (after == allocations_.begin()) return nullptr;
  Allocation* const allocation = std::prev(after)->get();
  return address - allocation->begin() <= std::uintptr_t(allocation->bytes()) ? allocation : nullptr;
}

void* DeviceMemory::allocate(std::string name, std::int64_t bytes, std::int64_t element_size) {
  auto allocation = std::make_unique<Allocation>(std::move(name), bytes, element_size);
  void* const memory = reinterpret_cast<void*>(allocation->begin());
  auto const after = std::upper_bound(allocations_.begin(), allocations_.end(), allocation->begin(),
                                      [](std::uintptr_t a, auto const& other) { return a < other->begin(); });
  allocations_.insert(after, std::move(allocation));
  return memory;
}

void DeviceMemory::free(void* memory) {
  auto const address = reinterpret_cast<std::uintptr_t>(memory);
  std::erase_if(allocations_, [&](auto const& allocation) { return allocation->begin() == address; });
}

}  // namespace tilestep::virtual_gpu
