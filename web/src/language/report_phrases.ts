// How a sentence of octet::check's reports is written down to be found, and the phrases within sentences.

/** An English sentence, in which N stands for a number, W for words that stay as they are, and P for a phrase below. */
/** The last, where there is one, is what the page says in English. */
export type Said = [english: string, ko: string, ja: string, page?: string];

export const phrases: Record<string, [ko: string, ja: string]> = {
  "in a bucket": ["버킷에", "バケットに"],
  "in memory": ["메모리에", "メモリーに"],
  "on the local disk": ["로컬 디스크에", "ローカルディスクに"],
  "TPU VM": ["TPU VM", "TPU VM "],
  "TPU node": ["TPU 노드", "TPU ノード"],
  "matrix unit": ["행렬 유닛", "行列ユニット"],
  "vector unit": ["벡터 유닛", "ベクトルユニット"],
  memory: ["메모리", "メモリー"],
  interconnect: ["칩 사이의 링크", "チップ間のリンク"],
  "beginning operations": ["연산 시작", "演算の開始"],
};
