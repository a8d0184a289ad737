#include "words.hpp"

#include <cstdlib>

namespace exercises {

namespace {

struct Row {
  Word word;
  std::string_view texts[3];
};

constexpr Row rows[] = {
    {Word::file, {"Edit", "고칠 파일", "編集するファイル"}},
    {Word::promise, {"As shipped, it fails with", "고치기 전에는 이렇게 실패합니다", "直す前は次のように失敗します"}},
    {Word::building, {"Building and checking ...", "빌드하고 검사하는 중 ...", "ビルドして検査しています ..."}},
    {Word::holds,
     {"It builds, and every fact holds.", "빌드되고, 모든 조건이 성립합니다.",
      "ビルドでき、すべての条件が成り立ちました。"}},
    {Word::does_not_build, {"It does not compile:", "컴파일되지 않습니다:", "コンパイルできません:"}},
    {Word::refused, {"Octet refuses it:", "Octet이 거부했습니다:", "Octet に拒否されました:"}},
    {Word::threw, {"It threw an exception:", "예외를 던졌습니다:", "例外を投げました:"}},
    {Word::does_not_hold,
     {"It runs, but not every fact holds:", "실행되지만, 성립하지 않는 조건이 있습니다:",
      "動きますが、成り立たない条件があります:"}},
    {Word::too_long,
     {"It ran for too long and was stopped.", "너무 오래 걸려서 중단했습니다.", "時間がかかりすぎるので止めました。"}},
    {Word::too_large,
     {"It used more than 2 GB of memory and was stopped.", "메모리를 2 GB 넘게 써서 중단했습니다.",
      "メモリーを 2 GB より多く使ったので止めました。"}},
    {Word::signalled,
     {"It crashed before all facts were stated: {}.", "모든 조건을 확인하기 전에 비정상 종료했습니다: {}.",
      "すべての条件を確かめる前に異常終了しました: {}。"}},
    {Word::foreign_memory,
     {"It reached for memory that is not its own: an index past the end, say, or a function that calls itself without "
      "end.",
      "자기 것이 아닌 메모리에 접근했습니다. 끝을 넘어선 인덱스나 끝없이 자신을 부르는 함수가 그런 예입니다.",
      "自分のものではないメモリーに触れました。終わりを越えた添字や、自分を呼び続ける関数などが原因です。"}},
    {Word::no_return,
     {"A function that is to return a value may have ended without a return.",
      "값을 돌려주어야 하는 함수가 return 없이 끝났을 수 있습니다.",
      "値を返すはずの関数が return なしで終わったのかもしれません。"}},
    {Word::ended,
     {"It ended by itself, with status {}, before all facts were stated.",
      "모든 조건을 확인하기 전에 종료 코드 {}(으)로 끝났습니다.",
      "すべての条件を確かめる前に、終了コード {} で終了しました。"}},
    {Word::gone,
     {"The file is gone: x puts it back.", "파일이 없습니다. x를 누르면 다시 만듭니다.",
      "ファイルがありません。x を押すと元に戻ります。"}},
    {Word::no_text,
     {"The file is not UTF-8 text: save it as UTF-8 in your editor.",
      "파일이 UTF-8 텍스트가 아닙니다. 편집기에서 UTF-8로 저장하세요.",
      "ファイルが UTF-8 のテキストではありません。エディターで UTF-8 として保存してください。"}},
    {Word::printed, {"It printed:", "출력한 내용:", "出力された内容:"}},
    {Word::left_out, {"... lines left out: {} ...", "... {}줄 생략 ...", "... {} 行を省略 ..."}},
    {Word::more,
     {"and {} more: press m", "그 밖에 {}개가 더 있습니다. m을 누르세요", "ほかに {} 件あります。m を押してください"}},
    {Word::signature,
     {"The check calls a function that is not there: keep its name and its arguments.",
      "검사가 부르는 함수가 없습니다: 함수의 이름과 인자는 그대로 두세요.",
      "検査が呼ぶ関数が見つかりません。関数の名前と引数は変えないでください。"}},
    {Word::wanted, {"wanted", "기대값", "期待値"}},
    {Word::hint, {"Hint", "힌트", "ヒント"}},
    {Word::no_more_hints, {"There are no more hints.", "힌트는 이것이 전부입니다.", "ヒントはこれで全部です。"}},
    {Word::solved, {"Solved!", "해결했습니다!", "解けました！"}},
    {Word::solution, {"A solution to compare with", "비교해 볼 풀이", "見比べるための解答"}},
    {Word::notice, {"What to notice", "눈여겨볼 점", "注目するところ"}},
    {Word::next_key, {"next", "다음", "次へ"}},
    {Word::hint_key, {"hint", "힌트", "ヒント"}},
    {Word::list_key, {"list", "목록", "一覧"}},
    {Word::run_key, {"run again", "다시 실행", "もう一度実行"}},
    {Word::reset_key, {"reset", "처음 상태로", "最初に戻す"}},
    {Word::check_key, {"check all", "모두 검사", "すべて検査"}},
    {Word::quit_key, {"quit", "끝내기", "終了"}},
    {Word::yes_key, {"yes", "예", "はい"}},
    {Word::other_key, {"any other key: no", "다른 키: 아니요", "ほかのキー: いいえ"}},
    {Word::ask_reset,
     {"Put the file back to what was shipped? What you wrote is kept beside it, in {}.",
      "파일을 처음 상태로 되돌릴까요? 고친 내용은 옆의 {}에 남습니다.",
      "ファイルを最初の状態に戻しますか。書いた内容は隣の {} に残ります。"}},
    {Word::was_reset,
     {"The file is as it was shipped.", "파일을 처음 상태로 되돌렸습니다.", "ファイルを最初の状態に戻しました。"}},
    {Word::kept_before,
     {"What you had written is in {}.", "고쳤던 내용은 {}에 있습니다.", "書いた内容は {} にあります。"}},
    {Word::solve_first,
     {"Not solved yet. To go to another one all the same, press l.",
      "아직 해결하지 못했습니다. 그래도 다른 문제로 가려면 l을 누르세요.",
      "まだ解けていません。それでもほかの問題に移るには l を押してください。"}},
    {Word::all_solved,
     {"All exercises are solved. What you have learned holds on a real TPU too.",
      "모든 연습문제를 해결했습니다. 여기서 배운 것은 진짜 TPU에서도 그대로 통합니다.",
      "すべての練習問題が解けました。ここで学んだことは本物の TPU でもそのまま通用します。"}},
    {Word::list_title, {"Exercises", "연습문제", "練習問題"}},
    {Word::list_keys,
     {"j/k or arrows: move   c or Enter: continue here   x: reset   q: back",
      "j/k 또는 화살표: 이동   c 또는 Enter: 여기서 계속   x: 처음 상태로   q: 돌아가기",
      "j/k または矢印: 移動   c または Enter: ここから続ける   x: 最初に戻す   q: 戻る"}},
    {Word::compiles, {"programs compiled", "컴파일한 프로그램 수", "コンパイルしたプログラムの数"}},
    {Word::padding, {"share of padding", "패딩의 비율", "パディングの割合"}},
    {Word::memory, {"memory", "메모리", "メモリー"}},
    {Word::result, {"result", "결과", "結果"}},
    {Word::bits, {"bits", "비트", "ビット"}},
    {Word::unknown_name,
     {"There is no exercise of this name", "이런 이름의 연습문제는 없습니다", "この名前の練習問題はありません"}},
    {Word::did_you_mean, {"Did you mean {}?", "혹시 {}인가요?", "{} のことですか。"}},
    {Word::see_list,
     {"See ./run exercises --list", "./run exercises --list 를 보세요", "./run exercises --list を見てください"}},
    {Word::checked_all,
     {"Checked all: no longer solved", "모두 검사했습니다. 다시 풀어야 하는 문제",
      "すべて検査しました。解けなくなったもの"}},
    {Word::welcome,
     {"Each exercise is a file with one thing to mend. Open it in your editor beside this window: it is checked "
      "whenever you save.",
      "연습문제는 저마다 고칠 곳이 한 군데 있는 파일입니다. 이 창 옆에서 편집기로 파일을 여세요. 저장할 때마다 "
      "검사합니다.",
      "練習問題はそれぞれ、直すところが一か所あるファイルです。この画面の隣でエディターを使ってファイルを開いてください"
      "。保存するたびに検査します。"}},
    {Word::saved_elsewhere,
     {"Your copies and your progress are in", "연습용 사본과 진행 상황은 여기에 있습니다",
      "作業用のコピーと進み具合はここにあります"}},
};

constexpr bool in_order() {
  for (std::size_t i = 0; i < std::size(rows); ++i)
    if (rows[i].word != static_cast<Word>(i)) return false;
  return std::size(rows) == static_cast<std::size_t>(Word::saved_elsewhere) + 1;
}
static_assert(in_order(), "each word has a row, in the order of the words");

}  // namespace

std::string_view name(Language language) {
  constexpr std::string_view names[] = {"en", "ko", "ja"};
  return names[static_cast<std::size_t>(language)];
}

std::optional<Language> language_named(std::string_view text) {
  for (const Language language : languages)
    if (name(language) == text) return language;
  return std::nullopt;
}

Language language_of_environment() {
  for (const char* variable : {"LC_ALL", "LC_MESSAGES", "LANG"})
    if (const char* value = std::getenv(variable); value && *value)
      return language_named(std::string_view{value}.substr(0, 2)).value_or(Language::en);
  return Language::en;
}

std::string_view word(Word word, Language language) {
  return rows[static_cast<std::size_t>(word)].texts[static_cast<std::size_t>(language)];
}

std::string word(Word which, Language language, const std::string& name) {
  std::string text{word(which, language)};
  const std::size_t at = text.find("{}");
  return at == text.npos ? text : text.replace(at, 2, name);
}

std::string kind_of_fact(const std::string& kind, Language language) {
  constexpr struct {
    std::string_view kind;
    Word word;
  } kinds[] = {{"compiles", Word::compiles},
               {"padding", Word::padding},
               {"memory", Word::memory},
               {"result", Word::result},
               {"bits", Word::bits}};
  for (const auto& each : kinds)
    if (each.kind == kind) return std::string{word(each.word, language)};
  return kind;
}

}  // namespace exercises
