import type { EmailHeader } from '#shared/email/email-provider';
import type { SendOptions } from '#shared/sending/send-options';

type Example = {
  /** As a request gives it, and as answers show it. */
  readonly given: unknown;
  /** What makes it another request. */
  readonly other: unknown;
  /** Whether webhooks repeat it. */
  readonly isReported: boolean;
  /** What it adds to the email's headers. */
  readonly headers?: readonly EmailHeader[];
};

/** An option that isn't here doesn't compile: tests check each by these. */
const examples = {
  replyTo: {
    given: ['Help <help@example.com>', 'desk@example.com'],
    other: 'other@example.com',
    isReported: false,
  },
  headers: {
    given: { 'X-Entity-Ref-ID': '42' },
    other: { 'X-Entity-Ref-ID': '43' },
    isReported: false,
    headers: [{ name: 'X-Entity-Ref-ID', value: '42' }],
  },
  tags: { given: { kind: 'receipt' }, other: { kind: 'reset' }, isReported: true },
  metadata: { given: { order: 7 }, other: {}, isReported: true },
  tracking: { given: { opens: false, clicks: false }, other: undefined, isReported: false },
} as const satisfies Record<keyof SendOptions, Example>;

const all = Object.entries<Example>(examples);

export const givenOptions = Object.fromEntries(all.map(([name, { given }]) => [name, given]));

/** Each option, with what makes it another request. */
export const otherOptions = all.map(([name, { other }]) => [name, other] as const);

export const reportedOptions = Object.fromEntries(
  all.flatMap(([name, { given, isReported }]) => (isReported ? [[name, given]] : [])),
);

export const headersOfExamples = all.flatMap(([, { headers = [] }]) => headers);
