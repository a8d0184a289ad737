/// octet train: trains a small BERT, ELECTRA or GPT-2 on simulated replicas, and saves it where it can be gone on with.
#include "command.hpp"

#include "messages.hpp"
#include "training_run.hpp"
import cli11;
import octet.standard;
import octet;

namespace program {

namespace {

constexpr long long most_loaders = 256;

void train_options(CLI::App* sub, Invocation& invocation) {
  const auto command = octet::shared<TrainCommand>();
  command->data.add_to(sub);
  CLI::Option* out =
      sub->add_option("--out", command->out, "directory to save the model and the run in")->type_name("DIR");
  CLI::Option* resume = sub->add_flag("--resume", command->resume, "go on with the run in --out, to the same bits");
  resume->needs(out)->excludes(sub->get_option("--from"));
  sub->add_flag("--overwrite", command->overwrite, "begin anew where --out holds a model already")
      ->needs(out)
      ->excludes(resume);
  add_threads(sub, command->threads);
  option(sub, "--loaders", command->loaders,
         "threads that make batches of records or tokens ahead; 0: made when needed");
  option(sub, "--eval-every", command->evaluate_every, "steps between two held-out losses; 0: only after the last");
  CLI::Option* const every =
      option(sub, "--save-every,--save-steps", command->save_every,
             "steps between two saves, the first of which comes at the start; 0: only at the end");
  CLI::Option* const limit = option(sub, "--save-total-limit", command->save_total_limit,
                                    "the last so many saves on the way are kept in OUT/checkpoint-STEP, too");
  sub->add_option("--logging-dir", command->logging_dir,
                  "directory for an event file: TensorBoard draws the losses from it while the run goes on")
      ->type_name("DIR");
  sub->add_option("--lose", command->losses,
                  "rehearse preemption: the memory of a replica, or of all, is lost in a step; the run goes on from a "
                  "replica that is left or from its last save, to the same bits")
      ->delimiter(',')
      ->type_name("REPLICA@STEP");
  sub->add_flag("--precision-report", command->precision_report,
                "tell what bf16 does, or would do, to weights, moments and the numbers within a step");
  command->choices = add_train_options(sub, command->options);
  sub->callback([command, every, limit, &invocation] {
    if (!command->data.named()) throw CLI::RequiredError("--records, --tokens or --text");
    invocation.work = [command, every, limit, &invocation] {
      require_at_least("--eval-every", command->evaluate_every, 0);
      require_at_least("--save-every", command->save_every, 0);
      require_at_least("--save-total-limit", command->save_total_limit, 0);
      for (const auto& [asked, name] : {std::pair{every->count() > 0 && command->save_every > 0, "--save-every"},
                                        {limit->count() > 0 && command->save_total_limit > 0, "--save-total-limit"}})
        if (asked && command->out.empty())
          octet::fail(without_effect(name, "without --out", "A run is saved in the directory that --out names.",
                                     {"add --out DIR"}));
      if (limit->count() > 0 && command->save_total_limit > 0 && command->save_every == 0)
        octet::fail(without_effect("--save-total-limit", "beside --save-every 0",
                                   "What is kept is saves on the way, and there are none.",
                                   {"leave --save-every out"}));
      require_at_least("--loaders", command->loaders, 0);
      if (command->loaders > most_loaders)
        refuse_option("--loaders is " + std::to_string(command->loaders) + ", and must be between 0 and " +
                          std::to_string(most_loaders) + ".",
                      "leave it out: one keeps ahead of most models");
      command->data.settle(command->options);
      return run_training(*command, invocation.json);
    };
  });
}

}  // namespace

const Subcommand train_subcommand{
    .name = "train",
    .description = "Train a small BERT, an ELECTRA or a GPT-2 on eight simulated TPU replicas.",
    .example =
        "octet train --text novel.txt --out model --steps 1000 --seed 1\n"
        "  octet train --kind electra --text novel.txt --out electra\n"
        "  octet train --text table.csv --field body --out model\n"
        "  octet train --records 'examples/*.tfrecord' --tokenizer words --out model\n"
        "  octet train --kind causal --text novel.txt --context-length 64 --out gpt\n"
        "  octet fill --model model \"In the beginning God [MASK] the heaven\"\n"
        "Ctrl-C finishes the step, saves, and says how to go on.",
    .add_options = train_options};

}  // namespace program
