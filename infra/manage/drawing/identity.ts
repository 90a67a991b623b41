import type { AnswerOf } from '../api/answers.ts';
import { oneLine, type Paint } from '../terminal.ts';
import { type Column, drawRecord, drawTable, foreign, paintState } from './columns.ts';

export type Identity = AnswerOf<'GET /api/v1/organization/identity'>;
type DnsRecord = NonNullable<Identity['records']>[number];

const columns = [
  ['STATE', ({ state }, paint) => paintState(state, paint)],
  [
    'FOR',
    ({ purpose, isRequired }) =>
      `${(purpose ?? 'unknown').replaceAll('_', ' ')}${isRequired === false ? ' (optional)' : ''}`,
  ],
  ['TYPE', ({ type }) => type],
  ['NAME IN THE ZONE', ({ relativeName }) => relativeName],
  ['VALUE', ({ value }) => value],
] as const satisfies readonly Column<DnsRecord>[];

/** With its records as DNS has them, and what is wrong with them. */
export function drawIdentity(identity: Identity, paint: Paint): string {
  const { records = [], account: { problems: found = [], productionAccessRequest } = {} } =
    identity;
  const hints = records
    .filter(({ hint }) => hint !== undefined)
    .map(({ name, hint, seen = [] }) => `${name}: ${oneLine([hint, ...seen].join(' | '))}`);
  const problems = found.flatMap(({ message, wayOut }) => [
    paint('red', `✗ ${message}`),
    `  ${wayOut}`,
  ]);
  const parts = [
    [drawRecord(describe(identity, paint))],
    records.length === 0 ? [] : [drawTable(records, columns, paint)],
    hints,
    problems,
    productionAccessRequest === undefined
      ? []
      : ['Draft of the request to AWS:', '', productionAccessRequest.trimEnd()],
  ];
  return parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

function describe(
  { domain, fromEmail, status, reason, sendingAs, dkim, mailFrom, tenant }: Identity,
  paint: Paint,
) {
  const why = reason === undefined ? '' : `: ${oneLine(reason)}`;
  return [
    ['Domain', domain],
    ['From', foreign(fromEmail)],
    ['Status', `${paintState(status, paint)}${why}`],
    ['Sends as', sendingAs === null ? 'none: sends are refused' : sendingAs?.fromEmail],
    ['DKIM', dkim?.status],
    ['MAIL FROM', mailFrom && `${mailFrom.domain}, ${mailFrom.status}`],
    ['SES tenant', tenant?.sending],
  ] as const;
}

/** Progress in one line. */
export const progressOf = ({ status, dkim, mailFrom, records = [] }: Identity): string => {
  const required = records.filter(({ isRequired }) => isRequired);
  const found = required.filter(({ state }) => state === 'found');
  return `${status}: ${found.length} of ${required.length} records found, DKIM ${dkim?.status ?? 'unknown'}, MAIL FROM ${mailFrom?.status ?? 'unknown'}`;
};
