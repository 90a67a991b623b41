import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso/router';
import { announce } from '../parts/announce.tsx';
import { May } from '../parts/may.tsx';
import { More } from '../parts/more.tsx';
import { Page } from '../parts/page.tsx';
import { Say, Shown } from '../parts/states.tsx';
import { CopyButton, Foreign, StateBadge, Tag } from '../parts/text.tsx';
import { may } from '../shared/may.ts';
import { noteAccount } from '../shared/sandbox.ts';
import { type Called, useCall } from '../shared/use-call.ts';
import type { Tone } from '../shared/words.ts';
import { DnsRecords } from './dns-records.tsx';
import { ChangeAddress, MakeDefault, RemoveDomain, VerifyNow } from './domain-actions.tsx';
import {
  dmarcStateOf,
  type Identity,
  nextStepOf,
  sesStateOf,
  statusWords,
  zoneLineOf,
} from './domain-state.ts';
import { SandboxGuide } from './sandbox-guide.tsx';

const checkEveryMs = 15_000;
/** An open page doesn't poll forever. */
const maxChecks = 120;

/** What the domain still needs to send, and what DNS has for it. */
export function DomainPage() {
  const { params } = useRoute();
  const { route } = useLocation();
  const domain = params['domain'] ?? '';
  const called = useCall('GET /api/v1/domains/{domain}', { path: { domain } });
  const known = useLatest(called.value);
  noteAccount(called.value?.account);
  return (
    <Page
      title={domain}
      heading={<Foreign text={domain} />}
      crumb={<a href="/console/domains">Domains</a>}
      beside={known?.isDefault && <Tag>Default</Tag>}
      answer={known && <Next identity={known} onVerified={called.reload} />}
      actions={
        known && (
          <Actions identity={known} called={called} onRemoved={() => route('/console/domains')} />
        )
      }
    >
      {known === undefined || called.failure ? <Shown of={called}>{() => null}</Shown> : null}
      {known && <Known identity={known} called={called} />}
    </Page>
  );
}

/** The latest answer. It stays if a check fails, and so does text typed below. */
function useLatest<Value>(value: Value | undefined): Value | undefined {
  const latest = useRef(value);
  if (value !== undefined) latest.current = value;
  return latest.current;
}

type Shows = { identity: Identity; called: Called<Identity> };

const Actions = ({ identity, called, onRemoved }: Shows & { onRemoved: () => void }) => (
  <>
    <button type="button" onClick={called.reload} aria-disabled={called.isLoading}>
      {called.isLoading ? 'Checking…' : 'Check now'}
    </button>
    {(may('PATCH /api/v1/domains/{domain}') || may('DELETE /api/v1/domains/{domain}')) && (
      <More>
        <May ask="PATCH /api/v1/domains/{domain}">
          <ChangeAddress identity={identity} onSet={called.reload} />
          {!identity.isDefault && identity.status === 'active' && (
            <MakeDefault identity={identity} onMade={called.reload} />
          )}
        </May>
        <May ask="DELETE /api/v1/domains/{domain}">
          <RemoveDomain identity={identity} onRemoved={onRemoved} />
        </May>
      </More>
    )}
  </>
);

function Known({ identity, called }: Shows) {
  const { status, records, account } = identity;
  const found = records.filter(({ state }) => state === 'found').length;
  const summary = `${statusWords[status][0]}. ${found} of ${records.length} records found.`;
  useLiveStatus(summary, found < records.length || status === 'pending', called.reload);
  return (
    <>
      <States identity={identity} />
      {account.problems.map(({ code, message, wayOut }) => (
        <div class="notice warn" key={code}>
          <p>
            <b>{message}</b>
          </p>
          <p>{code === 'sandbox' ? 'See below how to leave it.' : wayOut}</p>
        </div>
      ))}
      <DnsRecords identity={identity} />
      <SandboxGuide identity={identity} />
    </>
  );
}

/** What the domain can do, at a glance. */
function States({ identity }: { identity: Identity }) {
  const { status, isDefault, sendingAs, fromEmail } = identity;
  const dmarc = dmarcStateOf(identity);
  return (
    <dl class="summary">
      <State name="Sending" of={statusWords[status]}>
        {sesStateOf(identity)}
      </State>
      {dmarc && (
        <State name="DMARC" of={[dmarc[0], dmarc[1]]}>
          {dmarc[2]}
        </State>
      )}
      <div>
        <dt>From</dt>
        <dd>
          <Foreign text={fromEmail} />
          {isDefault && sendingAs?.fromEmail !== fromEmail && (
            <p>
              {sendingAs ? (
                <>
                  Until it’s verified, emails come from <Foreign text={sendingAs.fromEmail} />
                </>
              ) : (
                'Until it’s verified, each email has to name another sender'
              )}
            </p>
          )}
        </dd>
      </div>
    </dl>
  );
}

const State = ({
  name,
  of,
  children,
}: {
  name: string;
  of: readonly [string, Tone];
  children: string;
}) => (
  <div>
    <dt>{name}</dt>
    <dd>
      <StateBadge of={of} />
      <p>{children}</p>
    </dd>
  </div>
);

/** The one thing to do. */
function Next({ identity, onVerified }: { identity: Identity; onVerified: () => void }) {
  const step = nextStepOf(identity);
  if (step === undefined) return null;
  const line = step.record && zoneLineOf(identity, step.record);
  return (
    <Say
      tone={step.tone}
      title={<Foreign text={step.answer} most={300} />}
      actions={
        <>
          {identity.status !== 'active' && (
            <May ask="POST /api/v1/domains/{domain}/verify">
              <VerifyNow domain={identity.domain} onVerified={onVerified} />
            </May>
          )}
          {line && <CopyButton text={line} what="the record" label="Copy record" look="plain" />}
        </>
      }
    >
      <p>
        <Foreign text={step.todo} most={500} />
      </p>
    </Say>
  );
}

/** Checks again while something is missing and the page is likely to be watched. */
function useLiveStatus(summary: string, isWaiting: boolean, check: () => void) {
  const [checks, setChecks] = useState(0);
  const last = useRef(summary);
  useEffect(() => {
    if (last.current !== summary) announce(summary);
    last.current = summary;
  }, [summary]);
  useEffect(() => {
    if (!isWaiting || checks >= maxChecks) return;
    const timer = setTimeout(() => {
      setChecks(checks + 1);
      if (!document.hidden) check();
    }, checkEveryMs);
    return () => clearTimeout(timer);
  }, [isWaiting, checks, check]);
}
