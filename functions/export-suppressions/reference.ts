import type { EndpointReference } from '#shared/openapi/endpoint-reference';

export const reference = {
  section: 'Suppressions',
  summary: 'Export suppressions as a file',
  description: `CSV with the columns \`email\`, \`reason\`, \`at\` and \`diagnostic\`, newest first, 10,000 rows at most. A cell that a spreadsheet would run as a formula has an apostrophe in front, which an import takes off.

Erased persons are not in it: nobody knows whose their suppressions are. The audit says who exported.`,
  access: { key: 'required', scope: 'manage_organization' },
  fields: {
    reason: 'Only those with this reason.',
    cursor: 'As the header `Link` of an earlier answer has it.',
  },
  example: { query: { reason: 'bounce' } },
  answers: { 200: { description: 'The file.', headers: ['Content-Disposition', 'Link'] } },
} as const satisfies EndpointReference;
