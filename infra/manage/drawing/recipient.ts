import { type AnswerOf, type EntryOf, required } from '../api/answers.ts';
import type { Suggest } from '../suggestion.ts';
import { oneLine, type Paint } from '../terminal.ts';
import type { Drawing } from './layout.ts';
import { type Column, drawRecord, drawTable, foreign, momentOf, paintState } from './text-table.ts';

type Recipient = AnswerOf<'GET /api/v1/recipients/{email}'>;
type Suppression = EntryOf<'GET /api/v1/suppressions'>;

const emailColumns = [
  ['TIME', ({ createdAt }) => momentOf(createdAt)],
  ['STATUS', ({ status }, paint) => paintState(status, paint)],
  ['SUBJECT', ({ subject }) => foreign(subject), 'cut'],
  ['OUTCOME', ({ outcome }) => foreign(outcome), 'below'],
  ['ID', ({ sendId }) => sendId, 'below'],
] as const satisfies readonly Column<NonNullable<Recipient['emails']>[number]>[];

const suppressionReason = ({ reason, possible }: Suppression): string | undefined =>
  possible ? `${reason} (possible)` : reason;

const since = ['SINCE', ({ at }) => momentOf(at)] as const satisfies Column<Suppression>;
const reason = ['REASON', suppressionReason] as const satisfies Column<Suppression>;
const diagnostic = [
  'DIAGNOSTIC',
  (suppression) => foreign(suppression.diagnostic),
  'below',
] as const satisfies Column<Suppression>;

export const suppressionsOfAddress = [since, reason, diagnostic] as const;

/** For suppressions of several addresses. */
export const suppressionColumns = [
  since,
  reason,
  ['ADDRESS', ({ email }) => foreign(email ?? '(erased)'), 'cut'],
  diagnostic,
] as const satisfies readonly Column<Suppression>[];

/** With what to do about each. */
const pausesOf = (
  { paused, pausedBySes }: NonNullable<Recipient['organization']>,
  suggest: Suggest,
) =>
  [
    {
      holds: paused,
      state: 'paused',
      todo: `the operator resumes it with ${suggest('organizations resume org_…')}`,
    },
    {
      holds: pausedBySes,
      state: 'paused by SES',
      todo: 'the operator can see why, and lift it, in the SES console. See "Tenants of SES" in infra/README.md.',
    },
  ].filter(({ holds }) => holds);

export function drawRecipient(recipient: Recipient, paint: Paint, suggest: Suggest): Drawing {
  const { suppressions = [], emails, organization = {}, nextStep, verdict } = recipient;
  const obstacles = required(recipient, 'obstacles');
  const answer =
    obstacles.length === 0
      ? [paint('bold', `${oneLine(verdict?.sentence ?? 'Nothing blocks email to this address')}.`)]
      : obstacles.map((obstacle) => paint('red', `✗ ${oneLine(obstacle)}`));
  const pauses = pausesOf(organization, suggest).map(({ state, todo }) => `${state}: ${todo}`);
  const steps = nextStep === undefined ? [] : [oneLine(required(nextStep, 'text'))];
  const todos = pauses.length > 0 ? pauses : steps;
  return [
    drawRecord(describe(recipient, suggest)),
    '',
    ...answer,
    ...todos.map((todo) => `  → ${todo}`),
    ...(suppressions.length === 0
      ? []
      : ['', drawTable(suppressions, suppressionsOfAddress, paint)]),
    '',
    emails?.length === 0
      ? 'No emails to this address.'
      : drawTable(emails ?? [], emailColumns, paint),
  ];
}

function describe(
  { email, contact, organization = {}, providerList = {} }: Recipient,
  suggest: Suggest,
) {
  const pauses = pausesOf(organization, suggest).map(({ state }) => state);
  const listed = [providerList.reason, momentOf(providerList.at)].filter(Boolean).join(', ');
  const left = contact?.subscriptions?.filter(({ subscribed }) => subscribed === false) ?? [];
  return [
    ['Address', foreign(email)],
    [
      'Known since',
      contact === null ? 'unknown to the organization' : momentOf(contact?.createdAt),
    ],
    [
      'Unsubscribed from',
      left.length === 0 ? undefined : left.map((one) => one.categoryKey).join(' '),
    ],
    [
      "SES's list",
      `${(providerList.state ?? 'unknown').replace('_', ' ')}${listed === '' ? '' : ` (${listed})`}`,
    ],
    ['Organization', pauses.join(', ') || (organization.paused === false ? 'active' : undefined)],
    ['Default domain', organization.identity],
    ['Sends from', organization.activeDomains?.join(' ') || undefined],
  ] as const;
}
