import { type RateKind, rateOf, reviewRates } from '#shared/usage/reputation-limits';
import type { Answer } from '../../../api.ts';
import { domainPage, webhookPage } from '../shared/addresses.ts';
import { count, dayName } from '../shared/format.ts';
import { addressWith } from '../shared/paging.ts';
import type { Tone } from '../shared/words.ts';
import { disabledWords } from '../webhooks/disabled-words.ts';
import { emailsIn, emailsOf, type Metrics, type Range } from './range.ts';
import { countedOf, percentText, rateKinds, rateText, rateTitle, rateWords } from './rates.ts';

export type Overview = Answer<'GET /api/v1/overview'>;

export type Trouble = {
  readonly key: string;
  readonly tone: Exclude<Tone, 'good'>;
  readonly title: string;
  /** Untrusted text. */
  readonly of?: string;
  /** May contain times as ISO text. */
  readonly text: string;
  readonly link?: readonly [text: string, address: string];
};

type Measured = { readonly metrics: Pick<Metrics, 'totals' | 'buckets'>; readonly range: Range };

/** The worst first. The rates' troubles need the figures of a range. */
export function troublesOf(overview: Overview, measured?: Measured): Trouble[] {
  const all = [
    ...(measured === undefined ? [] : rateKinds.flatMap((kind) => rateTroubles(kind, measured))),
    ...pauses(overview),
    ...identityTroubles(overview),
    ...domainTroubles(overview),
    ...accountTroubles(overview),
    ...webhookTroubles(overview),
    ...sendTroubles(overview),
  ];
  return all.sort((one, other) => tones.indexOf(one.tone) - tones.indexOf(other.tone));
}

const tones: readonly Tone[] = ['bad', 'warn', 'quiet'];

function pauses({ organization: { paused, tenant } }: Overview): Trouble[] {
  const troubles: Trouble[] = [];
  if (paused) {
    troubles.push({
      key: 'paused',
      tone: 'bad',
      title: 'Your organization is paused',
      text: 'The operator of the service has paused it, so every email is refused. Ask the operator why.',
    });
  }
  if (tenant?.sending === 'paused') {
    troubles.push({
      key: 'tenant',
      tone: 'bad',
      title: 'Amazon SES has paused your organization',
      ...(tenant.reason && { of: tenant.reason }),
      text: 'Every email is refused. Ask the operator of the service.',
    });
  }
  return troubles;
}

const toIdentity = ['Open Domains', '/console/domains'] as const;

/** Until the first delivered email, the setup steps already show what's missing. */
function identityTroubles({ identity, domains, setup }: Overview): Trouble[] {
  const isVerified = setup.steps.some(({ name, isDone }) => name === 'dns' && isDone);
  const canSend = domains.some((one) => one.canSend);
  if (identity === null) {
    if (!setup.isFinished || isVerified) return [];
    const title = canSend ? 'No default domain' : 'No domain to send from';
    const text = canSend
      ? 'Emails without a From address are refused until you set a default domain.'
      : 'Every email is refused until you set a domain to send from.';
    return [{ key: 'identity', tone: 'bad', title, text, link: toIdentity }];
  }
  if (identity.status !== 'failed' && (isVerified || !setup.isFinished)) return [];
  return [
    {
      key: 'identity',
      tone: isVerified ? 'warn' : 'bad',
      title: 'Your domain isn’t verified',
      of: identity.domain,
      text: `${identity.reason ?? 'Amazon SES can’t find its DKIM records.'} ${
        isVerified
          ? 'Emails go out from the previous domain.'
          : canSend
            ? 'Emails without a From address are refused until it’s verified.'
            : 'Every email is refused until it’s verified.'
      }`,
      link: toIdentity,
    },
  ];
}

/** Only domains beside the default. A domain that was just added waits for its DNS records, which is no trouble yet. */
const domainTroubles = ({ domains }: Overview): Trouble[] =>
  domains
    .filter(({ isDefault, status, canSend }) => !isDefault && (status === 'failed' || !canSend))
    .map(({ domain, status, reason, canSend }) => ({
      key: domain,
      tone: status === 'failed' ? 'warn' : 'quiet',
      title:
        status === 'failed' ? 'A domain isn’t verified' : 'A domain is waiting for its DNS records',
      of: domain,
      text: [
        ...(reason === undefined ? [] : [reason]),
        canSend
          ? 'Emails still go out from it.'
          : 'Emails from it are refused until they’re found.',
      ].join(' '),
      link: ['View domain', domainPage(domain)],
    }));

function accountTroubles({ account, setup }: Overview): Trouble[] {
  const problems = account?.problems ?? [];
  return problems
    .filter(({ code }) => code !== 'sandbox' || setup.isFinished)
    .map(({ code, message, wayOut }) => ({
      key: code,
      tone: code === 'sandbox' || code === 'under_review' ? 'warn' : 'bad',
      title: message,
      text: wayOut,
    }));
}

function rateTroubles(
  kind: RateKind,
  { metrics: { totals, buckets }, range }: Measured,
): Trouble[] {
  const { sent } = totals;
  const counted = countedOf(kind, totals);
  const { state } = rateOf(kind, sent, counted);
  if (state === 'below' || state === 'too_few') return peakOf(kind, buckets, range);
  return [
    {
      key: kind,
      tone: state === 'reached' ? 'bad' : 'warn',
      title: rateTitle(kind, sent, counted),
      text: rateText(kind, sent, counted, range.words),
      link: [rateWords[kind].who, emailsIn(range, rateWords[kind].outcome)],
    },
  ];
}

/** The worst day over the limit, though all days together are below it. */
function peakOf(kind: RateKind, buckets: Metrics['buckets'], { isByHour }: Range): Trouble[] {
  if (isByHour) return [];
  const days = buckets.map((day) => {
    const counted = countedOf(kind, day);
    return { day, counted, ...rateOf(kind, day.sent, counted) };
  });
  const over = days.filter(({ state, day }) => {
    return state === 'reached' && day.sent >= reviewRates[kind].leastSent;
  });
  const [worst] = over.sort((one, other) => other.percent - one.percent);
  const last = days.findLast(({ day }) => day.sent > 0);
  if (worst === undefined || last === undefined) return [];
  const { day, counted, percent } = worst;
  const now = last.day === day ? '' : ` It’s at ${percentText(last.percent)} now.`;
  return [
    {
      key: kind,
      tone: 'warn',
      title: `${rateWords[kind].name} reached ${percentText(percent)} on ${dayName(day.period)}`,
      text: `${counted.toLocaleString()} of ${count(day.sent, 'email')}. AWS reviews accounts at ${reviewRates[kind].limit}.${now}`,
      link: [rateWords[kind].who, emailsOf(day, rateWords[kind].outcome)],
    },
  ];
}

function webhookTroubles({ webhooks }: Overview): Trouble[] {
  return webhooks.flatMap(({ id, url, health, disabled, pausedAt, isSlow }): Trouble[] => {
    const link = ['View endpoint', webhookPage(id)] as const;
    const its = { key: id, of: url, link };
    if (disabled !== undefined) {
      const { reason } = disabled;
      const isWanted = reason === 'by_owner';
      const todo = isWanted ? '' : ' Enable it when it’s back.';
      const text = `It gets no events: ${disabledWords[reason]}.${todo}`;
      const title = 'A webhook endpoint is disabled';
      return [{ ...its, tone: isWanted ? 'quiet' : 'bad', title, text }];
    }
    if (pausedAt !== undefined) {
      const title = 'A webhook endpoint is paused';
      const text = `Since ${new Date(pausedAt).toISOString()}. Its deliveries wait until you resume it.`;
      return [{ ...its, tone: 'quiet', title, text }];
    }
    if (health.status === 'failing') {
      const title = 'A webhook endpoint is failing';
      const { failingSince, outlook } = health;
      const since = failingSince ? `Since ${new Date(failingSince).toISOString()}. ` : '';
      return [{ ...its, tone: 'warn', title, text: `${since}${outlook}` }];
    }
    if (!isSlow) return [];
    const text = 'Its events are delayed until it answers within 3 s again.';
    return [{ ...its, tone: 'warn', title: 'A webhook endpoint is slow', text }];
  });
}

function sendTroubles({ sends: { inDoubt, failed, since } }: Overview): Trouble[] {
  const troubles: Trouble[] = [];
  const listOf = (status: string) =>
    addressWith('/console/emails', { status, from: new Date(since).toISOString() });
  const when = `Counted since ${new Date(since).toISOString()}.`;
  if (inDoubt > 0) {
    troubles.push({
      key: 'in doubt',
      tone: 'warn',
      title: `${count(inDoubt, 'email is', 'emails are')} in doubt`,
      text: `The service is checking whether Amazon SES accepted ${inDoubt === 1 ? 'it' : 'them'}, which takes minutes. A retry with the same idempotency key is safe: it never sends twice. ${when}`,
      link: ['Show emails in progress', listOf('sending')],
    });
  }
  if (failed > 0) {
    troubles.push({
      key: 'failed',
      tone: 'warn',
      title: `${count(failed, 'email')} failed`,
      text: `${failed === 1 ? 'It wasn’t' : 'They weren’t'} delivered. Open ${failed === 1 ? 'it' : 'one'} to see why. ${when}`,
      link: ['Show failed emails', listOf('failed')],
    });
  }
  return troubles;
}
