// The sentences of octet::check's reports, and how each is said in Korean and Japanese. Of two that fit, the first is said.
import { cures } from "./report_cures";
import { evidence } from "./report_evidence";
import { findings } from "./report_findings";
import type { Said } from "./report_phrases";

export const said: Said[] = [...findings, ...evidence, ...cures];
