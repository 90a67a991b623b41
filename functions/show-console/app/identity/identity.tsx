import { useEffect, useRef, useState } from 'preact/hooks';
import type { Answer } from '../../../api.ts';
import { call } from '../api-client.ts';
import { announce } from '../shared/announce.tsx';
import { ConfirmButton } from '../shared/buttons.tsx';
import { ChangeForm, Field } from '../shared/form.tsx';
import { Page } from '../shared/page.tsx';
import { Shown } from '../shared/states.tsx';
import { CopyButton, Foreign, LongForeign, StateBadge } from '../shared/text.tsx';
import { type Called, useCall } from '../shared/use-call.ts';
import type { Tone } from '../shared/words.ts';
import { SandboxGuide } from './sandbox-guide.tsx';

type Identity = Answer<'GET /api/v1/organization/identity'>;

const checkEveryMs = 15_000;
/** An open page doesn't poll forever. */
const mostChecks = 120;

/** The domain that the organization sends from, and what's still missing. */
export function IdentityPage() {
  const identity = useCall('GET /api/v1/organization/identity', {});
  const isNone = identity.failure?.code === 'identity_not_found';
  // What's typed below survives a failed check.
  const known = useRef<Identity | undefined>(undefined);
  if (identity.value || isNone) known.current = identity.value;
  return (
    <Page title="From identity" lead="The domain and address that all your emails come from.">
      {isNone && (
        <>
          <p>None yet. Set one to start sending.</p>
          <SetIdentity onSet={identity.reload} />
        </>
      )}
      {!isNone && identity.value === undefined && <Shown of={identity}>{() => null}</Shown>}
      {known.current && <Known identity={known.current} called={identity} />}
    </Page>
  );
}

const statusWords = {
  pending: ['Waiting for DNS', 'warn'],
  active: ['Active', 'good'],
  failed: ['Failed', 'bad'],
} as const satisfies Record<Identity['status'], readonly [string, Tone]>;

const sesWords: Readonly<Record<Identity['dkim']['status'], string>> = {
  NOT_STARTED: 'not checked yet',
  PENDING: 'still checking',
  SUCCESS: 'found',
  TEMPORARY_FAILURE: 'lost, checking again',
  FAILED: 'gave up',
};

function Known({ identity, called }: { identity: Identity; called: Called<Identity> }) {
  const { status, reason, sendingAs, records, account, tenant, zoneFile, domain } = identity;
  const { dkim, mailFrom } = identity;
  const found = records.filter(({ state }) => state === 'found').length;
  const summary = `${statusWords[status][0]}. ${found} of ${records.length} records found.`;
  const isWaiting = found < records.length || status === 'pending';
  useLiveStatus(summary, isWaiting, called.reload);
  return (
    <>
      <dl class="facts">
        <dt>Domain</dt>
        <dd>
          <Foreign text={domain} />
        </dd>
        <dt>From address</dt>
        <dd>
          <Foreign text={identity.fromEmail} />
        </dd>
        <dt>Status</dt>
        <dd>
          <StateBadge of={statusWords[status]} /> {reason && <LongForeign text={reason} />}
        </dd>
        <dt>Amazon SES says</dt>
        <dd>
          DKIM: {sesWords[dkim.status]}. MAIL FROM: {sesWords[mailFrom.status]}.
        </dd>
        <dt>Sending from</dt>
        <dd>
          {sendingAs ? <Foreign text={sendingAs.fromEmail} /> : 'nothing: every send is refused'}
        </dd>
      </dl>
      {status === 'failed' && (
        <p class="notice bad">
          Amazon SES gave up after 72 hours. Publish the records, then set the domain again below.
        </p>
      )}
      {tenant?.sending === 'paused' && (
        <p class="notice bad">
          Amazon SES has paused your organization. <Foreign text={tenant.reason ?? ''} /> Ask the
          operator of the service.
        </p>
      )}
      {account.problems.map(({ code, message, wayOut }) => (
        <div class="notice warn" key={code}>
          <p>
            <b>{message}</b>
          </p>
          <p>{code === 'sandbox' ? 'See below how to leave it.' : wayOut}</p>
        </div>
      ))}
      <h2>DNS records</h2>
      <p>
        {found} of {records.length} found. Most DNS providers add the domain to names: enter the
        short name there.
      </p>
      <p>
        <CopyButton text={zoneFile} what="all as a zone file" label="Copy all as a zone file" />
      </p>
      <DnsRecords records={records} />
      <p class="buttons">
        <button type="button" onClick={called.reload} aria-disabled={called.isLoading}>
          {called.isLoading ? 'Checking…' : 'Check now'}
        </button>
        {isWaiting && <span class="quiet">Checked every 15 seconds.</span>}
      </p>
      <SandboxGuide identity={identity} />
      <h2>Change it</h2>
      <details>
        <summary>Set another domain or address</summary>
        <p>Emails go out from the current one until the new one is active.</p>
        <SetIdentity identity={identity} onSet={called.reload} />
      </details>
      <DeleteIdentity domain={domain} onDeleted={called.reload} />
    </>
  );
}

/** Checks again while something is missing and the page may be watched. */
function useLiveStatus(summary: string, isWaiting: boolean, check: () => void) {
  const [checks, setChecks] = useState(0);
  const last = useRef(summary);
  useEffect(() => {
    if (last.current !== summary) announce(summary);
    last.current = summary;
  }, [summary]);
  useEffect(() => {
    if (!isWaiting || checks >= mostChecks) return;
    const timer = setTimeout(() => {
      setChecks(checks + 1);
      if (!document.hidden) check();
    }, checkEveryMs);
    return () => clearTimeout(timer);
  }, [isWaiting, checks, check]);
}

function SetIdentity({ identity, onSet }: { identity?: Identity; onSet: () => void }) {
  return (
    <ChangeForm
      submit="Save"
      act={async (typed) => {
        const body = {
          domain: typed('domain') ?? '',
          fromEmail: typed('fromEmail') ?? '',
          mailFromLabel: typed('mailFromLabel'),
        };
        await call('PUT /api/v1/organization/identity', { body });
        announce('Identity saved');
        onSet();
      }}
    >
      <Field
        label="Domain"
        name="domain"
        value={identity?.domain}
        hint="Best a subdomain of your own domain, such as news.example.com"
        required
      />
      <Field
        label="From address"
        name="fromEmail"
        type="email"
        value={identity?.fromEmail}
        hint="An address at that domain"
        required
      />
      <Field
        label="Label for bounces"
        name="mailFromLabel"
        value={identity && labelOf(identity)}
        hint="Optional. By default “bounces”: bounces go to bounces.<domain>"
      />
    </ChangeForm>
  );
}

/** Leaving it out would reset it to the default. */
const labelOf = ({ domain, mailFrom }: Identity): string =>
  mailFrom.domain.replace(`.${domain}`, '');

const DeleteIdentity = ({ domain, onDeleted }: { domain: string; onDeleted: () => void }) => (
  <div>
    <ConfirmButton
      label="Delete this identity…"
      question="Delete this identity?"
      yes="Delete"
      act={async () => {
        await call('DELETE /api/v1/organization/identity', {});
        announce('Identity deleted');
        onDeleted();
      }}
    >
      <p>
        Every send is refused from then on, and others can claim <Foreign text={domain} />.
      </p>
    </ConfirmButton>
  </div>
);

const stateWords = {
  found: ['Found', 'good'],
  missing: ['Missing', 'warn'],
  wrong: ['Wrong', 'bad'],
  unknown: ['DNS didn’t answer', 'quiet'],
} as const satisfies Record<Identity['records'][number]['state'], readonly [string, Tone]>;

const purposeWords: Readonly<Record<Identity['records'][number]['purpose'], string>> = {
  ownership: 'Ownership: proves that the domain is yours',
  dkim: 'DKIM: signs your emails',
  mail_from_mx: 'MAIL FROM: receives bounces',
  mail_from_spf: 'SPF: lets Amazon SES send for you',
  dmarc: 'DMARC: says what happens to forgeries',
};

const policyWords = {
  none: 'are delivered as usual (p=none)',
  quarantine: 'go to spam (p=quarantine)',
  reject: 'are refused (p=reject)',
} as const satisfies Record<NonNullable<Identity['records'][number]['policy']>, string>;

/** Each record, to copy, with what DNS has instead. */
const DnsRecords = ({ records }: { records: Identity['records'] }) => (
  <ul class="records">
    {records.map((record) => (
      <li key={`${record.type} ${record.name}`}>
        <h3>
          {purposeWords[record.purpose]} {!record.isRequired && <small>(optional)</small>}{' '}
          <StateBadge of={stateWords[record.state]} />
        </h3>
        <dl class="facts">
          <dt>Type</dt>
          <dd>{record.type}</dd>
          <Copyable label="Short name" text={record.relativeName} of={record.purpose} />
          <Copyable label="Full name" text={record.name} of={record.purpose} />
          <Copyable label="Value to publish" text={record.value} of={record.purpose} />
          {record.policy && (
            <>
              <dt>Forgeries</dt>
              <dd>{policyWords[record.policy]}</dd>
            </>
          )}
          {record.state !== 'found' && record.seen.length > 0 && (
            <>
              <dt>Found instead</dt>
              <dd>
                <LongForeign text={record.seen.join(' · ')} />
              </dd>
            </>
          )}
        </dl>
        {record.hint && <p class="notice warn">{record.hint}</p>}
      </li>
    ))}
  </ul>
);

const Copyable = ({ label, text, of }: { label: string; text: string; of: string }) => (
  <>
    <dt>{label}</dt>
    <dd class="copyable">
      <code>{text}</code> <CopyButton text={text} what={`${label.toLowerCase()} of ${of}`} />
    </dd>
  </>
);
