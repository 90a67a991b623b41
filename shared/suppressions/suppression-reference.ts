import { exampleIds, exampleTime } from '#shared/tokens/example-values';

/** @param path of the suppression in the answer, for example `data` */
export const suppressionFields = (path: string): Readonly<Record<string, string>> => ({
  [`${path}.email`]: 'The address. `null` once the contact is erased.',
  [`${path}.contactId`]: 'The contact with this address.',
  [`${path}.reason`]: suppressionReason,
  [`${path}.at`]: suppressedAt,
  [`${path}.diagnostic`]: suppressionDiagnostic,
  [`${path}.possible`]: possibleComplaint,
  [`${path}.messageId`]:
    'SES’s ID of the email that bounced or was complained about. Left out for imported and manual suppressions.',
});

export const suppressionReason =
  '`bounce`: an email bounced permanently. `complaint`: the person reported an email as spam. `manual`: you suppressed the address. `unsubscribe`: the person unsubscribed. An email that Amazon SES dropped because of its own suppression list or its Auto Validation suppresses nobody.';
export const possibleComplaint =
  '`true`: the person may have complained. SES named several recipients of the email, because mailbox providers hide who complained. Only bulk email is blocked.';
export const suppressedAt =
  'When the address was first suppressed for this reason, in epoch milliseconds.';
const suppressionDiagnostic =
  'The cause, in the words of the recipient’s server, of SES, or of the person who suppressed the address.';

export const momentForms =
  'epoch milliseconds, or ISO 8601 such as `2026-11-21T09:00:00Z`. A date alone begins at midnight UTC.';

export const exampleSuppression = {
  email: 'bob@example.com',
  contactId: exampleIds.contact,
  reason: 'bounce',
  at: exampleTime,
  diagnostic: 'smtp; 550 5.1.1 user unknown',
} as const;
