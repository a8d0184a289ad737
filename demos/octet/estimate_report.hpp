/// What `octet estimate` prints. Imports octet: include it after all other headers.
#pragma once
import octet.standard;
import octet;

namespace program {

/// An estimate and what it is of.
struct EstimateReport {
  std::string model;  ///< its name, or where its sizes are from
  octet::nn::TrainingJob job;
  octet::nn::TrainingEstimate estimate;
  octet::nn::BatchLimits largest;               ///< sequences that a replica can take at once
  std::optional<octet::tpu::FeedOptions> feed;  ///< where something was said of it
  std::optional<octet::tpu::FeedEstimate> fed;
  std::optional<octet::nn::Compiles> compiles;  ///< where something was said of them
  std::vector<octet::nn::Finding> findings;
};

/// For a person.
std::string text_of(const EstimateReport& report);
/// One JSON object.
std::string json_of(const EstimateReport& report);

}  // namespace program
