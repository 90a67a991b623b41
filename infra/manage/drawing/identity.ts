import type { DnsRecord, Identity } from '../api/answers.ts';
import { oneLine, type Paint } from '../terminal.ts';
import { type Column, drawRecord, drawTable, foreign, paintState } from './columns.ts';

const columns = [
  ['STATE', ({ state }, paint) => paintState(state, paint)],
  [
    'FOR',
    ({ purpose, isRequired }) =>
      `${purpose.replaceAll('_', ' ')}${isRequired ? '' : ' (optional)'}`,
  ],
  ['TYPE', ({ type }) => type],
  ['NAME IN THE ZONE', ({ relativeName }) => relativeName],
  ['VALUE', ({ value }) => value],
] as const satisfies readonly Column<DnsRecord>[];

/** Draws an identity: what it is, its records as DNS has them, and what is wrong with them. */
export function drawIdentity(identity: Identity, paint: Paint): string {
  const { records, account } = identity;
  const hints = records
    .filter(({ hint }) => hint !== undefined)
    .map(({ name, hint, seen }) => `${name}: ${oneLine([hint, ...seen].join(' | '))}`);
  const problems = account.problems.flatMap(({ message, wayOut }) => [
    paint('red', `✗ ${message}`),
    `  ${wayOut}`,
  ]);
  const parts = [
    [drawRecord(describe(identity, paint))],
    records.length === 0 ? [] : [drawTable(records, columns, paint)],
    hints,
    problems,
    account.productionAccessRequest === undefined
      ? []
      : ['Draft of the request to AWS:', '', account.productionAccessRequest.trimEnd()],
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
    ['Sends as', sendingAs?.fromEmail ?? 'none: sends are refused'],
    ['DKIM', dkim.status],
    ['MAIL FROM', `${mailFrom.domain}, ${mailFrom.status}`],
    ['SES tenant', tenant === null ? undefined : tenant.sending],
  ] as const;
}

/** Progress in one line. */
export const progressOf = ({ status, dkim, mailFrom, records }: Identity): string => {
  const required = records.filter(({ isRequired }) => isRequired);
  const found = required.filter(({ state }) => state === 'found');
  return `${status}: ${found.length} of ${required.length} records found, DKIM ${dkim.status}, MAIL FROM ${mailFrom.status}`;
};
