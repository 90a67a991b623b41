import { exampleIds, exampleTime } from '#shared/endpoints/example-values';

/**
 * What the reference says about the fields of a suppression.
 *
 * @param path where the suppression stands in the answer, for example `data`.
 */
export const suppressionFields = (path: string): Readonly<Record<string, string>> => ({
  [`${path}.email`]: 'The address. `null` once the person is erased.',
  [`${path}.contactId`]: 'The contact.',
  [`${path}.reason`]: suppressionReason,
  [`${path}.at`]: suppressedAt,
  [`${path}.diagnostic`]: suppressionDiagnostic,
  [`${path}.possible`]: possibleComplaint,
});

export const suppressionReason =
  '`bounce`: the recipient’s server refused an email for good. `complaint`: the person reported one as spam. `manual`: you suppressed the address. `unsubscribe`: the person did. An email that SES dropped because of its own lists or guesses suppresses nobody.';
export const possibleComplaint =
  '`true`: the person may have complained. SES named several recipients of one email, because mailbox providers hide who complained. Only bulk email is blocked.';
export const suppressedAt = 'When the address became bad, in epoch milliseconds.';
export const suppressionDiagnostic =
  'What caused it, in the words of the recipient’s server, of SES, or of the person who suppressed the address.';

/** What a moment in a query or a body may look like. */
export const momentForms =
  'epoch milliseconds, or ISO 8601 such as `2026-11-21T09:00:00Z`. A date alone begins at midnight UTC.';

export const exampleSuppression = {
  email: 'bob@example.com',
  contactId: exampleIds.contact,
  reason: 'bounce',
  at: exampleTime,
  diagnostic: 'smtp; 550 5.1.1 user unknown',
} as const;
