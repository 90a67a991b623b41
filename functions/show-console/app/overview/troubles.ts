import { type RateKind, rateOf } from '#shared/usage/rate-limits';
import { count } from '../shared/format.ts';
import { addressWith } from '../shared/paging.ts';
import type { Overview, Tone, Usage } from '../shared/words.ts';
import { rateText } from './rates.ts';

type StepName = Overview['setup']['steps'][number]['name'];

/** What to do for each step of the set-up, and where. */
export const stepWords: Readonly<Record<StepName, readonly [text: string, address: string]>> = {
  identity: ['Set the domain and the address that you send from', '/console/settings/identity'],
  dns: ['Publish its DNS records, until the domain is verified', '/console/settings/identity'],
  production_access: [
    'Get the AWS account out of the sandbox of Amazon SES',
    '/console/settings/identity',
  ],
  key: ['Make a key for your application', '/console/settings/keys'],
  first_sent: ['Send the first email', '/docs'],
  first_delivered: ['See it delivered', '/console/emails'],
  webhook: ['Have your application told what becomes of emails', '/console/webhooks'],
};

/** Something that a person should look at. */
export type Trouble = {
  readonly key: string;
  readonly tone: Exclude<Tone, 'good'>;
  readonly title: string;
  /** Whose trouble it is, in the words of strangers. */
  readonly of?: string;
  /** A sentence of the service. */
  readonly text: string;
  readonly link?: readonly [text: string, address: string];
};

/** All that is wrong, the worst first. Without the figures of the last 30 days, nothing of the rates. */
export function troublesOf(overview: Overview, figures?: Usage['total']): Trouble[] {
  const all = [
    ...(figures === undefined ? [] : rateTroubles(figures)),
    ...pauses(overview),
    ...identityTroubles(overview),
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
      text: 'The operator of the service has paused it: every email is refused. Ask the operator.',
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

const toIdentity = ['Look at the From identity', '/console/settings/identity'] as const;

/** Before the first delivered email the steps of the set-up tell of what is merely missing. */
function identityTroubles({ identity, setup }: Overview): Trouble[] {
  const isVerified = setup.steps.some(({ name, isDone }) => name === 'dns' && isDone);
  if (identity === null) {
    if (!setup.isFinished || isVerified) return [];
    const text = 'Every email is refused until you set a domain to send from.';
    return [
      { key: 'identity', tone: 'bad', title: 'No domain to send from', text, link: toIdentity },
    ];
  }
  if (identity.status !== 'failed' && (isVerified || !setup.isFinished)) return [];
  return [
    {
      key: 'identity',
      tone: isVerified ? 'warn' : 'bad',
      title: 'Your domain is not verified',
      of: identity.domain,
      text: `${identity.reason ?? 'Amazon SES does not find its DKIM records.'} ${
        isVerified
          ? 'The domain of before goes on sending.'
          : 'Every email is refused until it does.'
      }`,
      link: toIdentity,
    },
  ];
}

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

const rateTitles = {
  bounced: {
    near: 'The bounce rate is near the limit',
    reached: 'The bounce rate is over the limit',
  },
  complained: {
    near: 'The complaint rate is near the limit',
    reached: 'The complaint rate is over the limit',
  },
} as const satisfies Record<RateKind, object>;
const rateReasons = { bounced: 'bounce', complained: 'complaint' } as const;

function rateTroubles({ sends, events }: Usage['total']): Trouble[] {
  return (['bounced', 'complained'] as const).flatMap((kind): Trouble[] => {
    const { state } = rateOf(kind, sends, events[kind]);
    if (state !== 'near' && state !== 'reached') return [];
    return [
      {
        key: kind,
        tone: state === 'reached' ? 'bad' : 'warn',
        title: rateTitles[kind][state],
        text: rateText(kind, sends, events[kind]),
        link: ['Who it was', `/console/suppressions?reason=${rateReasons[kind]}`],
      },
    ];
  });
}

function webhookTroubles({ webhooks }: Overview): Trouble[] {
  return webhooks.flatMap(({ id, url, health, disabled, isSlow }): Trouble[] => {
    const link = ['Look at it', `/console/webhooks/${encodeURIComponent(id)}`] as const;
    const its = { key: id, of: url, link };
    if (disabled?.reason === 'by_owner') {
      const text = 'Your team disabled it, so it gets no events.';
      return [{ ...its, tone: 'quiet', title: 'A webhook endpoint is disabled', text }];
    }
    if (health.status === 'disabled') {
      const text =
        disabled?.reason === 'gone'
          ? 'It answered 410 (Gone), so it gets no events. Enable it when it listens again.'
          : 'Too many deliveries were given up, so it gets no events. Enable it when it answers again.';
      return [{ ...its, tone: 'bad', title: 'A webhook endpoint is disabled', text }];
    }
    if (health.status === 'failing') {
      const title = 'A webhook endpoint is failing';
      return [{ ...its, tone: 'warn', title, text: health.outlook }];
    }
    if (!isSlow) return [];
    const text = 'It hears of events later than others, until it answers within 3 s again.';
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
      text: `It is being found out whether Amazon SES took ${inDoubt === 1 ? 'it' : 'them'}. That takes minutes. A retry with the same idempotency key is safe: it never sends twice. ${when}`,
      link: ['Show the emails under way', listOf('sending')],
    });
  }
  if (failed > 0) {
    troubles.push({
      key: 'failed',
      tone: 'warn',
      title: `${count(failed, 'email')} failed`,
      text: `Nothing of ${failed === 1 ? 'it' : 'them'} was delivered. Each says why. ${when}`,
      link: ['Show the failed emails', listOf('failed')],
    });
  }
  return troubles;
}
