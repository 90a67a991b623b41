type Held = {
  /** A digest of the content; `undefined` if the template isn't there. */
  readonly here: string | undefined;
  readonly there: string | undefined;
  /** The last common content; `undefined` if unknown. */
  readonly base: string | undefined;
};

export type TemplateState =
  | 'same'
  | 'only here'
  | 'only there'
  | 'changed here'
  | 'changed there'
  | 'changed in both';

/** What has changed since both were the same. Without a base, any difference may be a change on both sides. */
export function stateOf({ here, there, base }: Held): TemplateState {
  if (here === there) return 'same';
  if (there === undefined) return 'only here';
  if (here === undefined) return 'only there';
  if (there === base) return 'changed here';
  return here === base ? 'changed there' : 'changed in both';
}
