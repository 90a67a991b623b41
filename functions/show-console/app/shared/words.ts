/** How a badge or a notice is coloured: `info` is on its way, `person` is done by a person. The words always say the same. */
export type Tone = 'good' | 'bad' | 'warn' | 'quiet' | 'info' | 'person';

/** Holds a list to every member of a union: a member that the API adds doesn't compile until it is listed. */
export const every =
  <Kind>() =>
  <const List extends readonly Kind[]>(
    list: List & ([Exclude<Kind, List[number]>] extends [never] ? unknown : never),
  ): List =>
    list;
