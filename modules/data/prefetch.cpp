module octet.data;
import octet.base;
import octet.standard;

namespace octet::data {

Prefetch::Prefetch(const Pipeline& pipeline, PipelinePosition from, std::size_t depth)
    : pipeline_{pipeline}, depth_{depth}, found_{from != PipelinePosition{}}, cursor_{from} {
  if (depth < 1)
    fail({.number = 709,
          .sentence = "a queue for no batch at all",
          .where = {},
          .fix = {"choose a depth of 1 or more, such as 4"}});
}

// Whether somebody should make the next window: where there is nothing better to do, or before it is too late. With
// `mutex_` held.
bool Prefetch::wants_window() const {
  if (!window_ || looking_ahead_) return false;
  const std::uint64_t left = window_->batches.size() - std::min<std::uint64_t>(cursor_.batch, window_->batches.size());
  const bool made = ahead_ && ahead_at_ == PipelinePosition{window_at_.epoch, window_at_.window + 1, 0};
  return !made && (full() || left <= depth_);
}

void Prefetch::look_ahead() {
  PipelinePosition at;
  {
    const std::scoped_lock lock{mutex_};
    if (!wants_window()) return;
    looking_ahead_ = true;
    ahead_ = nullptr;
    ahead_at_ = at = {window_at_.epoch, window_at_.window + 1, 0};
  }
  std::shared_ptr<const Pipeline::Window> window;
  try {
    const bool next_epoch = at.window >= pipeline_.windows();
    window = shared<const Pipeline::Window>(next_epoch ? pipeline_.window(at.epoch + 1, 0)
                                                       : pipeline_.window(at.epoch, at.window));
  } catch (...) {
    // Who comes to that window will meet the same, and tell it.
  }
  {
    const std::scoped_lock lock{mutex_};
    ahead_ = std::move(window);
    looking_ahead_ = false;
    failed_ = failed_ || !ahead_;
  }
  change_.notify_all();
}

// With `mutex_` held.
void Prefetch::enter(std::shared_ptr<const Pipeline::Window> window, PipelinePosition at) {
  window_ = std::move(window);
  window_at_ = at;
  if (PipelinePosition{cursor_.epoch, cursor_.window, 0} != at) cursor_ = at;
}

// Makes the window at `at` the current one, which it is, or follows. Made here where nobody did. With `source_` held.
void Prefetch::go_to_window(PipelinePosition at) {
  {
    std::unique_lock lock{mutex_};
    if (window_ && window_at_ == at) return;
    const bool next_epoch = at.window == 0 && at.epoch > 0;
    const PipelinePosition as_next = next_epoch ? PipelinePosition{at.epoch - 1, pipeline_.windows(), 0} : at;
    change_.wait(lock, [&] { return !looking_ahead_; });
    if (ahead_ && ahead_at_ == as_next) {
      enter(std::move(ahead_), at);
      return;
    }
    looking_ahead_ = true;  // so that nobody makes the same one
    ahead_ = nullptr;
    ahead_at_ = as_next;
  }
  std::shared_ptr<const Pipeline::Window> window;
  struct Done {
    Prefetch& prefetch;
    PipelinePosition at;
    std::shared_ptr<const Pipeline::Window>& window;
    ~Done() {
      // At once: between the two, the window would be neither the current one nor being made.
      const std::scoped_lock lock{prefetch.mutex_};
      prefetch.looking_ahead_ = false;
      if (window) prefetch.enter(std::move(window), at);
    }
  } done{*this, at, window};
  window = shared<const Pipeline::Window>(pipeline_.window(at.epoch, at.window));
}

// Goes on to the window that the next batch is of, past those that have not a full one: examples that are made anew in
// each epoch are not always as many. Data of which no batch is known is refused soon, and a run that has begun does not
// end because the next batch is far. With `source_` held.
void Prefetch::load_window() {
  PipelinePosition at = cursor_;
  const std::uint64_t patience = (pipeline_.windows() + 100) * (found_ ? 100 : 1);
  std::size_t most = 0;
  for (std::uint64_t empty = 0; empty < patience; ++empty) {
    if (at.window >= pipeline_.windows()) at = {at.epoch + 1, 0, 0};
    const PipelinePosition begin{at.epoch, at.window, 0};
    go_to_window(begin);
    const std::scoped_lock lock{mutex_};
    if (at.batch < window_->batches.size()) {
      cursor_ = at;
      found_ = true;
      return;
    }
    most = std::max(most, window_->examples.size());
    at = {at.epoch, at.window + 1, 0};
  }
  const std::int64_t batch = pipeline_.options().batch;
  Diagnostic none{.number = 728,
                  .sentence = "no window of the data has a full batch of " + std::to_string(batch) +
                              " examples; the largest of " + std::to_string(patience) + " has " + std::to_string(most),
                  .where = {},
                  .fix = {"make the batch smaller, or give more text"}};
  if (pipeline_.windows() > 1)
    none.fix.insert(none.fix.begin(), "make the windows larger: --window " + std::to_string(2 * batch));
  fail(std::move(none));
}

void Prefetch::make_one() {
  const auto slot = shared<Slot>();
  std::shared_ptr<const Pipeline::Window> window;
  {
    const std::scoped_lock order{source_};
    {
      const std::scoped_lock lock{mutex_};
      if (full() || stopped_) {
        if (!slots_.empty()) return;  // another was faster
      }
      slots_.push_back(slot);
      slot->at = cursor_;
    }
    try {
      load_window();
      window = window_;
    } catch (...) {
      slot->fault = std::current_exception();
    }
    const std::scoped_lock lock{mutex_};
    slot->at = cursor_;
    if (slot->fault)
      failed_ = true;
    else
      ++cursor_.batch;
  }
  if (!slot->fault) try {
      slot->batch = pipeline_.batch(*window, static_cast<std::size_t>(slot->at.batch));
    } catch (...) {
      slot->fault = std::current_exception();
    }
  {
    const std::scoped_lock lock{mutex_};
    slot->ready = true;
    failed_ = failed_ || slot->fault;
  }
  change_.notify_all();
}

PipelineBatch Prefetch::next() {
  const Clock::time_point asked = Clock::now();
  std::unique_lock lock{mutex_};
  if (!begun_) start_ = asked;
  begun_ = true;
  while (slots_.empty()) {
    lock.unlock();
    make_one();
    lock.lock();
  }
  change_.wait(lock, [&] { return slots_.front()->ready; });
  const std::shared_ptr<Slot> slot = std::move(slots_.front());
  slots_.pop_front();
  waited_ += std::chrono::duration<double>(Clock::now() - asked).count();
  lock.unlock();
  change_.notify_all();
  if (slot->fault) std::rethrow_exception(slot->fault);
  return std::move(slot->batch);
}

PipelinePosition Prefetch::position() const {
  const std::scoped_lock lock{mutex_};
  return slots_.empty() ? cursor_ : slots_.front()->at;
}

void Prefetch::serve() {
  while (true) {
    bool look = false;
    {
      std::unique_lock lock{mutex_};
      change_.wait(lock, [&] { return stopped_ || failed_ || !full() || wants_window(); });
      if (stopped_ || failed_) return;
      look = wants_window();
    }
    if (look)
      look_ahead();
    else
      make_one();
  }
}

void Prefetch::begin() {
  const std::scoped_lock lock{mutex_};
  stopped_ = false;
  failed_ = std::ranges::any_of(slots_, [](const auto& slot) { return slot->fault != nullptr; });
}

void Prefetch::stop() {
  {
    const std::scoped_lock lock{mutex_};
    stopped_ = true;
  }
  change_.notify_all();
}

Waiting Prefetch::waiting() const {
  const std::scoped_lock lock{mutex_};
  return {waited_, begun_ ? std::chrono::duration<double>(Clock::now() - start_).count() : 0};
}

void prefetching(Threads& threads, Prefetch& prefetch, const std::function<void()>& consume) {
  struct Stop {
    Prefetch& prefetch;
    ~Stop() { prefetch.stop(); }
  };
  prefetch.begin();
  threads.for_each(threads.count(), [&](std::size_t index) {
    if (index > 0) return prefetch.serve();
    const Stop stop{prefetch};
    consume();
  });
}

}  // namespace octet::data
