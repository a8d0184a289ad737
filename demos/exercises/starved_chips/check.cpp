import octet;
import facts;
using namespace octet;

tpu::FeedOptions feeding();

void check() {
  tpu::FeedOptions own = feeding();
  own.measured.clear();  // what an example takes is given
  const tpu::FeedEstimate feed = tpu::estimate_feed(own, tpu::slice("v3-8"), 1024, 0.1);
  facts::at_most("per cent of the time that the chips wait", 100 * feed.waiting_share, 1);
  facts::at_most("threads of the host", static_cast<double>(feed.threads), 32);
  facts::at_least("milliseconds to prepare an example, as measured", 1000 * own.prepare_seconds, 2);
}
