/// Several files of a directory that are replaced together or not at all, whenever the process is stopped. Internal to
/// octet.train.
///
/// A new `model.safetensors` is written whole as `model.safetensors.next`, and so are the others. Then a file
/// `files.next`, which lists them, is put in place by one rename: that is the moment of the replacement. What follows,
/// renaming each and removing the list, can be interrupted anywhere: while the list is there, readers take `NAME.next`
/// for a listed name where it still exists, and the next replacement first carries on with the renaming. A `.next` file
/// without a list is what an interrupted writer left, and counts for nothing.
///
/// This holds against a process that ends at any point. Against a machine that loses its power it holds as far as its
/// file system keeps the order of writes; the hashes in training.json find the rest.
export module octet.train:file_set;
import octet.standard;
import octet.text;

namespace octet::train {

struct NamedContent {
  std::string name;  ///< a file's name within the directory; folders in it are made where missing
  text::FileParts content;
};

/// Replaces the files in `directory`, which is made where missing. Throws X707, also for a folder that is a link: what
/// it leads to is another's. The files from before are then still all there.
void replace_together(const std::filesystem::path& directory, const std::vector<NamedContent>& files);

/// Whether a replacement that was decided and is not finished has files in `folder` of the directory.
bool is_replaced_with(const std::filesystem::path& directory, std::string_view folder);

/// Whether `name` is there, or a replacement was decided that is not finished.
bool will_have(const std::filesystem::path& directory, std::string_view name);
/// Whether a directory holds files of a replacement that was never decided, and no others: what an interrupted writer
/// left of a directory of its own.
bool is_remainder(const std::filesystem::path& directory);

/// Whether `name` is there, and what it holds, also while another process replaces it. Reading throws X701.
bool has_current(const std::filesystem::path& directory, std::string_view name);
std::string read_current(const std::filesystem::path& directory, std::string_view name);

}  // namespace octet::train
