/** The smallest body that the send endpoints take. */
export const buildSendBody = (
  fields: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> => ({
  to: 'ann@example.com',
  subject: 'Your receipt',
  content: 'Thank you.',
  ...fields,
});
