/** What a template is called in a folder and in the service, and what it holds there. */
export type Held = {
  /** A digest of all that it holds; `undefined` where it isn't. */
  readonly here: string | undefined;
  readonly there: string | undefined;
  /** What both held when they were last the same; `undefined` if nobody knows. */
  readonly base: string | undefined;
};

export const templateStates = [
  'same',
  'only here',
  'only there',
  'changed here',
  'changed there',
  'changed in both',
] as const;
export type TemplateState = (typeof templateStates)[number];

/** Who changed a template since both were the same. Without a base, whatever differs may have been changed in both. */
export function stateOf({ here, there, base }: Held): TemplateState {
  if (here === there) return 'same';
  if (there === undefined) return 'only here';
  if (here === undefined) return 'only there';
  if (there === base) return 'changed here';
  return here === base ? 'changed there' : 'changed in both';
}
