/** A badge's or notice's colour: `info` is on its way, `person` was done by a person. The words always say the same. */
export type Tone = 'good' | 'bad' | 'warn' | 'quiet' | 'info' | 'person';

/** Requires every member of a union: one that the API adds doesn't compile until it's listed. */
export const every =
  <Kind>() =>
  <const List extends readonly Kind[]>(
    list: List & ([Exclude<Kind, List[number]>] extends [never] ? unknown : never),
  ): List =>
    list;
