// The text of a kernel, from the command line, a charter, or a model that another agent sends.
#include "tacit/gp/kernel/kernel.hpp"
#include "fuzz.hpp"

using namespace tacit;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::refusable([&] {
    const Kernel kernel = parse_kernel(fuzz::text_of(data, size));
    const std::string full = kernel.text(), form = kernel.form();
    fuzz::must(parse_kernel(full, full.size()).text() == full);
    fuzz::must(parse_kernel(form, form.size()).form() == form);
    (void)kernel.names();
    (void)kernel.for_inputs(2).prior_variance(Matrix::Ones(1, 2));
  });
  return 0;
}
