// What stalls a step and what mends it, in Korean.
import type { en } from "./findings.en";
import { toNumber } from "./particle";

const waits = (share: string) => `칩이 시간의 ${share}를 기다리며 보냅니다`;
const noMultiple = (what: string) => (extent: string, unit: string, filled: string) =>
  `${what} ${extent}: ${unit}의 배수가 아니어서 ${filled}일 때만큼 듭니다.`;

export const ko: typeof en = {
  says: {
    uneven_shards: (given, parts, padding, batch) =>
      `크기 ${given}인 배치는 ${parts}몫으로 고르게 나눌 수 없습니다. 시퀀스 ${batch}개 가운데 ${padding}개는 가중치가 0인데도 다른 시퀀스만큼 듭니다.`,
    slow_host: (host, hosts, times, share) =>
      `호스트 ${hosts}대 가운데 ${host}번이 배치의 제 몫을 준비하는 데 다른 호스트의 ${times}배가 걸리고, 모든 레플리카가 그것을 기다립니다. ${waits(share)}.`,
    only_slow_host: (host, hosts, share) =>
      `호스트 ${hosts}대 가운데 ${host}번만 배치의 제 몫을 준비하는 데 시간이 걸리고 다른 호스트는 거의 걸리지 않으며, 모든 레플리카가 그것을 기다립니다. ${waits(share)}.`,
    bucket_too_slow: (host, step, share) =>
      `호스트가 배치의 제 몫을 버킷에서 읽는 데 ${host}, 스텝을 계산하는 데 ${step} 걸립니다. ${waits(share)}.`,
    disk_too_slow: (host, step, share) =>
      `호스트가 배치의 제 몫을 디스크에서 읽는 데 ${host}, 스텝을 계산하는 데 ${step} 걸립니다. ${waits(share)}.`,
    network_too_slow: (host, step, share) =>
      `프로그램이 도는 기계 하나에서 모든 호스트로 배치를 보내는 데 ${host}, 스텝을 계산하는 데 ${step} 걸립니다. ${waits(share)}.`,
    host_callback: (host, step, share) =>
      `입력 파이프라인이 예제 하나마다 한 번씩 프로그램을 콜백하여 배치 하나에 ${host}, 스텝을 계산하는 데 ${step} 걸립니다. ${waits(share)}.`,
    host_too_slow: (host, step, share) =>
      `호스트가 배치의 제 몫을 준비하는 데 ${host}, 스텝을 계산하는 데 ${step} 걸립니다. ${waits(share)}.`,
    transfer_too_slow: (host, step, share) =>
      `호스트가 배치의 제 몫을 칩으로 나르는 데 ${host}, 스텝을 계산하는 데 ${step} 걸립니다. ${waits(share)}.`,
    too_few_prefetched: (batches, share) =>
      `스텝이 도는 동안 미리 보내 두는 배치는 ${batches}개입니다. 다음 배치를 읽고 준비하는 시간이 스텝 뒤에 가려지지 않습니다. ${waits(share)}.`,
    recompiles: (programs, steps, each, share) =>
      `스텝 ${steps}번 동안 프로그램 ${programs}개를 하나에 ${each}씩 들여 컴파일합니다. 칩이 시간의 ${share}를 컴파일러를 기다리며 보냅니다.`,
    tiny_collectives: (count, bytes, time, chips) =>
      `그래디언트마다 하나씩, 평균 ${bytes}인 올리듀스 ${count}번에 ${time} 걸립니다. 번번이 새로 시작해 칩 ${chips}개를 모두 돕니다.`,
    unoverlapped_all_reduce: (time) =>
      `그래디언트의 올리듀스가 역전파가 끝난 뒤에야 시작합니다. 그 ${time} 동안 행렬 유닛이 놉니다.`,
    bound_by_all_reduce: (share, sequences) =>
      `스텝의 ${share}가 올리듀스와 갱신이고, 둘은 배치 크기와 상관없이 같은 시간이 걸립니다. 레플리카 하나의 시퀀스: ${sequences}개.`,
    whole_update: (weights, time) => `레플리카마다 가중치 ${weights}개를 모두 갱신합니다. 스텝마다 ${time} 걸립니다.`,
    f32_activations: (share) => `활성값을 f32로 저장하고, 순전파와 역전파의 ${share}가 메모리에 묶여 있습니다.`,
    padded_heads: (size, filled) =>
      `크기 ${size}인 헤드는 차지하는 행렬 유닛의 행 ${filled}개 가운데 ${size}개만 채웁니다.`,
    padded_rows: (rows, filled) =>
      `레플리카가 한 번에 받는 시퀀스: ${rows}개, 8의 배수가 아닙니다. 시퀀스가 타일의 행이 되는 곳에서는 ${filled}개일 때만큼 듭니다.`,
    padded_sequence: noMultiple("어텐션에서 시퀀스 길이"),
    padded_vocabulary: noMultiple("어휘 크기"),
    padded_hidden: noMultiple("은닉 크기"),
    padded_intermediate: noMultiple("중간 크기"),
  },
  remedies: {
    even_batch: (batch, below) => `배치 크기를 ${batch} 또는 ${toNumber(below)} 하세요.`,
    even_batch_above: (batch) => `배치 크기를 ${toNumber(batch)} 하세요.`,
    mend_host: "그 호스트를 고치거나 바꾸거나, 그 몫의 일부를 다른 호스트가 준비하게 하세요.",
    threads: (needed, now) => `호스트마다 준비하는 스레드: ${now}개 대신 ${needed}개.`,
    threads_of_more_hosts: (needed, now, processors) =>
      `호스트마다 준비하는 스레드: ${now}개 대신 ${needed}개. 호스트 하나의 프로세서 ${processors}개보다 많으니, 호스트를 늘리거나 예제를 쓰일 꼴로 저장하세요.`,
    record_files: "예제를 레코드 파일로 써 두세요. 콜백되는 프로그램은 스레드가 몇 개든 스레드 하나로만 돕니다.",
    more_threads: (needed, now, cycle) =>
      `호스트마다 준비하는 스레드: ${now}개 대신 ${needed}개. 그러면 ${cycle}마다 한 스텝씩 돕니다.`,
    faster_hosts: (step) =>
      `호스트가 제 몫을 ${step} 안에 준비하게 하세요. 스텝보다 오래 걸리는 일은 배치를 미리 보내 두어도 가려지지 않습니다.`,
    from_bucket: "버킷에서, 여러 연결로 나누어 읽으세요.",
    from_memory: "예제가 들어간다면 메모리에서 읽으세요.",
    fewer_stored_bytes: (cycle) => `예제마다 저장하는 바이트를 줄이세요. 절반이면 ${cycle}마다 한 스텝씩 돕니다.`,
    store_prepared: "준비할 것이 남지 않도록 예제를 쓰일 꼴로 저장하세요.",
    bucket_or_memory: "버킷에서 여러 연결로 나누어 읽거나, 메모리에서 읽으세요.",
    fewer_bytes: "예제마다 보내는 바이트를 줄이세요. id는 16비트로, 마스크는 칩에서 만드세요.",
    prefetch: (batches) => `미리 보내 두는 배치를 ${batches}개로 하면 기다림이 없어집니다.`,
    prefetch_more: (now) => `배치를 ${now}개보다 많이 미리 보내세요.`,
    few_lengths: "배치를 몇 가지 길이로 패딩하세요. 길이마다 프로그램 하나만 남습니다.",
    join_all_reduces: (time) => `하나로 묶으세요. 모든 그래디언트를 한 번에 올리듀스하면 ${time} 걸립니다.`,
    overlap_all_reduce:
      "앞 층을 계산하는 동안 뒤 층의 그래디언트를 올리듀스하세요. 첫 층과 단어 임베딩의 것만 기다리면 됩니다.",
    larger_batch_either: (batch, atOnce, parts, inParts) =>
      `배치 크기를 ${toNumber(batch)} 하세요. 한 번에 처리하면 같은 시퀀스 수에 ${atOnce}, ${parts}번에 나누어 누적하면 ${inParts} 아낍니다.`,
    larger_batch_at_once: (batch) => `배치를 나누지 말고 크기를 ${toNumber(batch)} 하세요.`,
    larger_batch_in_parts: (batch, parts) => `배치 크기를 ${toNumber(batch)} 하고 ${parts}번에 나누어 누적하세요.`,
    shard_optimizer: "옵티마이저 상태를 나누세요. 리듀스 스캐터와 올개더 사이에 레플리카마다 제 몫만 갱신합니다.",
    bf16_activations: "가중치와 옵티마이저 상태는 f32로 두고 활성값을 bf16으로 저장하세요.",
    fewer_heads: (heads, size, now) =>
      `헤드 ${now}개 대신 크기 ${size}인 헤드 ${heads}개를 쓰세요. 가중치 수는 같고 모델은 달라집니다.`,
    batch_of_rows: (batch, each) => `배치 크기를 ${toNumber(batch)}, 곧 레플리카마다 ${each}개로 하세요.`,
    batch_of_rows_in_parts: (batch, each) =>
      `배치 크기를 ${toNumber(batch)}, 곧 나눈 부분마다 레플리카에 ${each}개로 하세요.`,
    other_length: (to, step, saved) =>
      `${toNumber(to)} 하세요. 스텝 하나에 ${step} 걸리고, 토큰 하나로 치면 ${saved} 덜 걸립니다.`,
    longer_positions: (to, step, saved) =>
      `위치가 ${to}개인 모델로 바꾸고 그만큼 채우세요. 스텝 하나에 ${step} 걸리고, 토큰 하나로 치면 ${saved} 덜 걸립니다.`,
    fill_up: (to) => `${to}까지 늘려도 더 걸리지 않습니다.`,
    fill_up_or_below: (to, below) =>
      `${to}까지 늘려도 더 걸리지 않습니다. ${below}까지 줄이면 패딩에 드는 시간을 아낍니다.`,
    down_to: (below) => `${below}까지 줄이면 패딩에 드는 시간을 아낍니다.`,
  },
};
