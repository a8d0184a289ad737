// What stalls a step and what mends it, in Japanese.
import type { en } from "./findings.en";

const waits = (share: string) => `チップは時間の ${share} を待って過ごします`;
const noMultiple = (what: string) => (extent: string, unit: string, filled: string) =>
  `${what} ${extent} は ${unit} の倍数ではなく、${filled} のときと同じだけかかります。`;

export const ja: typeof en = {
  says: {
    uneven_shards: (given, parts, padding, batch) =>
      `大きさ ${given} のバッチは ${parts} 等分できません。シーケンス ${batch} 個のうち ${padding} 個は重みが 0 なのに、ほかと同じだけかかります。`,
    slow_host: (host, hosts, times, share) =>
      `${hosts} 台のうちホスト ${host} は、バッチの自分の分にほかの ${times} 倍の時間がかかり、すべてのレプリカがそれを待ちます。${waits(share)}。`,
    only_slow_host: (host, hosts, share) =>
      `${hosts} 台のうちホスト ${host} だけがバッチの自分の分に時間がかかり、ほかはほとんどかからず、すべてのレプリカがそれを待ちます。${waits(share)}。`,
    bucket_too_slow: (host, step, share) =>
      `ホストがバッチの自分の分をバケットから読むのに ${host}、ステップの計算に ${step} かかります。${waits(share)}。`,
    disk_too_slow: (host, step, share) =>
      `ホストがバッチの自分の分をディスクから読むのに ${host}、ステップの計算に ${step} かかります。${waits(share)}。`,
    network_too_slow: (host, step, share) =>
      `プログラムの動く 1 台からすべてのホストへバッチを送るのに ${host}、ステップの計算に ${step} かかります。${waits(share)}。`,
    host_callback: (host, step, share) =>
      `入力パイプラインが、サンプル 1 つにつき 1 回ずつプログラムをコールバックし、1 バッチに ${host}、ステップの計算に ${step} かかります。${waits(share)}。`,
    host_too_slow: (host, step, share) =>
      `ホストがバッチの自分の分を準備するのに ${host}、ステップの計算に ${step} かかります。${waits(share)}。`,
    transfer_too_slow: (host, step, share) =>
      `ホストがバッチの自分の分をチップへ運ぶのに ${host}、ステップの計算に ${step} かかります。${waits(share)}。`,
    too_few_prefetched: (batches, share) =>
      `ステップの間に先に送っておくバッチは ${batches} 個です。次のバッチの読み込みと準備がステップの陰に隠れません。${waits(share)}。`,
    recompiles: (programs, steps, each, share) =>
      `${steps} ステップの間に ${programs} 個のプログラムを、1 つ ${each} かけてコンパイルします。チップは時間の ${share} をコンパイラー待ちで過ごします。`,
    tiny_collectives: (count, bytes, time, chips) =>
      `勾配ごとに 1 回、平均 ${bytes} のオールリデュース ${count} 回に ${time} かかります。毎回始め直し、${chips} 個のチップをすべて回ります。`,
    unoverlapped_all_reduce: (time) =>
      `勾配のオールリデュースは逆伝播が終わってから始まります。その ${time} の間、行列ユニットは遊びます。`,
    bound_by_all_reduce: (share, sequences) =>
      `ステップの ${share} はオールリデュースと更新で、どちらもバッチの大きさによらず同じ時間がかかります。レプリカあたりのシーケンス：${sequences}。`,
    whole_update: (weights, time) =>
      `どのレプリカも ${weights} 個の重みをすべて更新し、1 ステップに ${time} かかります。`,
    f32_activations: (share) => `活性値を f32 で保存していて、順伝播と逆伝播の ${share} はメモリーが決めています。`,
    padded_heads: (size, filled) =>
      `大きさ ${size} のヘッドは、占める行列ユニットの ${filled} 行のうち ${size} 行しか埋めません。`,
    padded_rows: (rows, filled) =>
      `レプリカが一度に受け取るシーケンス：${rows}。8 の倍数ではありません。シーケンスがタイルの行になるところでは ${filled} のときと同じだけかかります。`,
    padded_sequence: noMultiple("アテンションでのシーケンスの長さ"),
    padded_vocabulary: noMultiple("語彙の大きさ"),
    padded_hidden: noMultiple("隠れ層の大きさ"),
    padded_intermediate: noMultiple("中間層の大きさ"),
  },
  remedies: {
    even_batch: (batch, below) => `バッチを ${batch} か ${below} にします。`,
    even_batch_above: (batch) => `バッチを ${batch} にします。`,
    mend_host: "そのホストを直すか替えるか、ほかのホストにその分の一部を準備させます。",
    threads: (needed, now) => `各ホストで準備するスレッド：${now} ではなく ${needed}。`,
    threads_of_more_hosts: (needed, now, processors) =>
      `各ホストで準備するスレッド：${now} ではなく ${needed}。1 台のプロセッサー ${processors} 個より多いので、ホストを増やすか、サンプルをそのまま使える形で保存します。`,
    record_files:
      "サンプルをレコードファイルに書いておきます。コールバックされるプログラムは、スレッドがいくつあっても 1 スレッドでしか動きません。",
    more_threads: (needed, now, cycle) =>
      `各ホストで準備するスレッド：${now} ではなく ${needed}。${cycle} ごとに 1 ステップになります。`,
    faster_hosts: (step) =>
      `ホストが自分の分を ${step} 以内に準備できるようにします。ステップより長くかかるものは、先に送っても隠れません。`,
    from_bucket: "バケットから、多くの接続で読みます。",
    from_memory: "サンプルが入るなら、メモリーから読みます。",
    fewer_stored_bytes: (cycle) =>
      `サンプルごとに保存するバイトを減らします。半分にすれば、${cycle} ごとに 1 ステップになります。`,
    store_prepared: "準備するものが残らないように、サンプルをそのまま使える形で保存します。",
    bucket_or_memory: "バケットから多くの接続で読むか、メモリーから読みます。",
    fewer_bytes: "サンプルごとに送るバイトを減らします。id は 16 ビットに、マスクはチップで作ります。",
    prefetch: (batches) => `先に送っておくバッチを ${batches} 個にすると、待ちがなくなります。`,
    prefetch_more: (now) => `${now} より多くのバッチを先に送ります。`,
    few_lengths: "バッチをいくつかの長さにそろえます。長さごとにプログラムが 1 つ残るだけです。",
    join_all_reduces: (time) => `まとめます。すべての勾配のオールリデュース 1 回なら ${time} です。`,
    overlap_all_reduce:
      "前の層をまだ計算している間に、後の層の勾配をオールリデュースします。待つのは最初の層と単語の埋め込みの分だけになります。",
    larger_batch_either: (batch, atOnce, parts, inParts) =>
      `バッチを ${batch} にします。一度に処理すれば同じシーケンス数で ${atOnce}、${parts} 回に分けて累積すれば ${inParts} 短くなります。`,
    larger_batch_at_once: (batch) => `バッチを分けずに ${batch} にします。`,
    larger_batch_in_parts: (batch, parts) => `バッチを ${batch} にし、${parts} 回に分けて累積します。`,
    shard_optimizer:
      "オプティマイザーの状態を分けます。リデューススキャッターとオールギャザーの間に、各レプリカが自分の分だけ更新します。",
    bf16_activations: "重みとオプティマイザーの状態は f32 のまま、活性値を bf16 で保存します。",
    fewer_heads: (heads, size, now) =>
      `ヘッド ${now} 個の代わりに大きさ ${size} のヘッド ${heads} 個にします。重みの数は同じで、別のモデルになります。`,
    batch_of_rows: (batch, each) => `バッチを ${batch}、各レプリカで ${each} にします。`,
    batch_of_rows_in_parts: (batch, each) => `バッチを ${batch}、分けた 1 回ごとに各レプリカで ${each} にします。`,
    other_length: (to, step, saved) =>
      `${to} にします。1 ステップは ${step} で、トークンあたりでは ${saved} 短くなります。`,
    longer_positions: (to, step, saved) =>
      `位置が ${to} あるモデルにして、そこまで使います。1 ステップは ${step} で、トークンあたりでは ${saved} 短くなります。`,
    fill_up: (to) => `${to} にしても余分にかかりません。`,
    fill_up_or_below: (to, below) =>
      `${to} にしても余分にかかりません。${below} にすれば、パディングにかかる時間を省けます。`,
    down_to: (below) => `${below} にすれば、パディングにかかる時間を省けます。`,
  },
};
