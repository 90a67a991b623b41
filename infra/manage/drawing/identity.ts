import type { AnswerOf } from '../api/answers.ts';
import { counted } from '../doctor/finding.ts';
import type { Session } from '../session.ts';
import { oneLine, type Paint } from '../terminal.ts';
import { type Block, type Drawing, verbatim } from './layout.ts';
import { type Column, drawRecord, drawTable, foreign, paintState } from './text-table.ts';

export type Identity = AnswerOf<'GET /api/v1/organization/identity'>;
/** With several domains, each says whether it's the default. */
type Domain = Identity & Pick<AnswerOf<'GET /api/v1/domains/{domain}'>, 'isDefault'>;
type DnsRecord = NonNullable<Identity['records']>[number];

const columns = [
  ['STATE', ({ state }, paint) => paintState(state, paint)],
  [
    'FOR',
    ({ purpose, isRequired }) =>
      `${(purpose ?? 'unknown').replaceAll('_', ' ')}${isRequired === false ? ' (optional)' : ''}`,
  ],
  ['TYPE', ({ type }) => type],
  ['NAME IN THE ZONE', ({ relativeName }) => relativeName, 'below'],
  ['VALUE', ({ value }) => value, 'below'],
] as const satisfies readonly Column<DnsRecord>[];

export function drawIdentity(identity: Domain, paint: Paint): Drawing {
  const { records = [], account: { problems: found = [], productionAccessRequest } = {} } =
    identity;
  const hints = records
    .filter(({ hint }) => hint !== undefined)
    .map(({ name, hint, seen = [] }) => `${name}: ${oneLine([hint, ...seen].join(' | '))}`);
  const problems = found.flatMap(({ message, wayOut }) => [
    paint('red', `✗ ${message}`),
    `  ${wayOut}`,
  ]);
  const parts: readonly (readonly Block[])[] = [
    [drawRecord(describe(identity, paint))],
    records.length === 0 ? [] : [drawTable(records, columns, paint)],
    hints,
    problems,
    productionAccessRequest === undefined
      ? []
      : ['Draft of the request to AWS:', '', verbatim(productionAccessRequest.trimEnd())],
  ];
  return parts
    .filter((blocks) => blocks.length > 0)
    .flatMap((blocks, index) => (index === 0 ? blocks : ['', ...blocks]));
}

function describe(identity: Domain, paint: Paint) {
  const { domain, fromEmail, status, reason, dkim, mailFrom, tenant } = identity;
  const why = reason === undefined ? '' : `: ${oneLine(reason)}`;
  return [
    ['Domain', domain],
    ['From', foreign(fromEmail)],
    ['Status', `${paintState(status, paint)}${why}`],
    sendsOf(identity),
    ['DKIM', dkim?.status],
    ['MAIL FROM', mailFrom && `${mailFrom.domain}, ${mailFrom.status}`],
    ['SES tenant', tenant?.sending],
  ] as const;
}

/** Sends without a From address use the default domain, so `sendingAs` says nothing about other domains. */
function sendsOf({ domain, status, isDefault, sendingAs }: Domain) {
  if (isDefault === false) {
    const sends = status === 'active' ? `from any address at ${domain}` : 'refused until active';
    return ['Sends', sends] as const;
  }
  return [
    'Sends as',
    sendingAs === null ? 'none: sends are refused' : sendingAs?.fromEmail,
  ] as const;
}

export function lackOf({ records = [] }: Identity): string {
  const required = records.filter(({ isRequired }) => isRequired);
  const lacking = (['missing', 'wrong'] as const).flatMap((state) => {
    const count = required.filter((record) => record.state === state).length;
    return count === 0
      ? []
      : [`${counted(count, 'required record')} ${count === 1 ? 'is' : 'are'} ${state}`];
  });
  if (lacking.length > 0) return lacking.join(', ');
  const isAllFound = required.every(({ state }) => state === 'found');
  return isAllFound
    ? 'all records are there, but SES has yet to confirm them'
    : "DNS didn't answer for every required record";
}

/** In one line. */
export const progressOf = ({ status, dkim, mailFrom, records = [] }: Identity): string => {
  const required = records.filter(({ isRequired }) => isRequired);
  const found = required.filter(({ state }) => state === 'found');
  return `${status}: ${found.length} of ${required.length} records found, DKIM ${dkim?.status ?? 'unknown'}, MAIL FROM ${mailFrom?.status ?? 'unknown'}`;
};

/** The twin's DNS takes a zone file. */
export function sayNextSteps(
  { terminal, target, suggest }: Session,
  zoneFileCommand: string,
  checkCommand: string,
): void {
  const publish =
    target.kind === 'twin'
      ? `Publish these records in the local server's DNS:\n  ${suggest(zoneFileCommand, `curl -s --data-binary @- ${target.baseUrl}/_local/dns`)}`
      : "Publish these records in the domain's DNS.";
  terminal.say(`${publish}\nThen: ${suggest(checkCommand)}`);
}
