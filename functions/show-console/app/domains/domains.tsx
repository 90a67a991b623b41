import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import type { Answer } from '../../../api.ts';
import { ApiFailure, call } from '../api-client.ts';
import { announce, toast } from '../parts/announce.tsx';
import { ActionButton, ConfirmButton } from '../parts/buttons.tsx';
import { DialogButton } from '../parts/dialog.tsx';
import { Fact } from '../parts/facts.tsx';
import { ChangeForm, Field } from '../parts/form.tsx';
import { May } from '../parts/may.tsx';
import { Page } from '../parts/page.tsx';
import { Empty, Shown } from '../parts/states.tsx';
import { Breakable, CopyButton, Foreign, LongForeign, StateBadge, Tag } from '../parts/text.tsx';
import { domainPage } from '../shared/addresses.ts';
import { changedNames, requiredChangeOf } from '../shared/changes.ts';
import { may } from '../shared/may.ts';
import { noteAccount } from '../shared/sandbox.ts';
import { type Called, useCall } from '../shared/use-call.ts';
import type { Tone } from '../shared/words.ts';
import { SandboxGuide } from './sandbox-guide.tsx';

type Identity = Answer<'GET /api/v1/domains/{domain}'>;
type Listed = Answer<'GET /api/v1/domains'>['data'][number];

const checkEveryMs = 15_000;
/** An open page doesn't poll forever. */
const maxChecks = 120;

export function Domains() {
  const domains = useCall('GET /api/v1/domains', {});
  const { query, route } = useLocation();
  const known = useLatest(domains.value?.data);
  const listed = known ?? [];
  const shown = listed.find(({ domain }) => domain === query['domain']) ?? listed[0];
  const show = (domain: string) => {
    route(domainPage(domain));
    domains.reload();
  };
  return (
    <Page
      title="Domains"
      beside="Where your emails come from"
      actions={
        known && (
          <May ask="POST /api/v1/domains">
            <AddDomain listed={known} onAdded={show} />
          </May>
        )
      }
    >
      {domains.value === undefined && listed.length === 0 && (
        <Shown of={domains}>{() => null}</Shown>
      )}
      {domains.value && listed.length === 0 && (
        <Empty title="No domains yet">
          Add your domain, publish its DNS records, and send from any address at it.
        </Empty>
      )}
      {listed.length > 0 && (
        <ul class="rows">
          {listed.map((one) => (
            <Row key={one.domain} listed={one} isShown={one === shown} />
          ))}
        </ul>
      )}
      {shown && <OneDomain key={shown.domain} listed={shown} onChanged={domains.reload} />}
    </Page>
  );
}

/** The latest answer. It stays if a check fails, and so does text typed below. */
function useLatest<Value>(value: Value | undefined): Value | undefined {
  const latest = useRef(value);
  if (value !== undefined) latest.current = value;
  return latest.current;
}

const Row = ({ listed, isShown }: { listed: Listed; isShown: boolean }) => (
  <li>
    <a href={domainPage(listed.domain)} aria-current={isShown ? 'true' : undefined}>
      <Foreign text={listed.domain} />
    </a>{' '}
    <StateBadge of={statusWords[listed.status]} /> {listed.isDefault && <Tag>Default</Tag>}
  </li>
);

const AddDomain = ({
  listed,
  onAdded,
}: {
  listed: readonly Listed[];
  onAdded: (domain: string) => void;
}) => (
  <DialogButton label="Add domain" title="Add a domain" look="main" opensBy="add">
    <ChangeForm
      submit="Add domain"
      act={async (typed) => {
        const body = {
          domain: (typed('domain') ?? '').toLowerCase(),
          fromEmail: typed('fromEmail'),
          mailFromLabel: typed('mailFromLabel'),
        };
        if (listed.some(({ domain }) => domain === body.domain)) {
          throw new ApiFailure(0, { detail: `${body.domain} is already in the list.` });
        }
        const { domain } = await call('POST /api/v1/domains', { body });
        toast('Domain added');
        onAdded(domain);
      }}
    >
      <Field
        label="Domain"
        name="domain"
        hint="A subdomain works best, such as mail.example.com"
        required
      />
      <Field
        label="From address"
        name="fromEmail"
        type="email"
        hint="Optional. An address at that domain; hello@<domain> by default."
      />
      <Field
        label="Bounce subdomain"
        name="mailFromLabel"
        hint="Optional. “bounces” by default: bounces go to bounces.<domain>."
      />
    </ChangeForm>
  </DialogButton>
);

function OneDomain({ listed, onChanged }: { listed: Listed; onChanged: () => void }) {
  const called = useCall('GET /api/v1/domains/{domain}', { path: { domain: listed.domain } });
  const known = useLatest(called.value);
  noteAccount(called.value?.account);
  const status = known?.status;
  useEffect(() => {
    if (status !== undefined && status !== listed.status) onChanged();
  }, [status, listed.status, onChanged]);
  const onChange = () => {
    called.reload();
    onChanged();
  };
  return (
    <section aria-labelledby="shown-domain">
      <div class="section">
        <h2 id="shown-domain">
          <Foreign text={listed.domain} />
        </h2>
        {known && (
          <Actions identity={known} called={called} onChanged={onChange} onRemoved={onChanged} />
        )}
      </div>
      {called.value === undefined && <Shown of={called}>{() => null}</Shown>}
      {known && <Known identity={known} called={called} onChanged={onChange} />}
    </section>
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
  UNKNOWN: 'in a state this version doesn’t know',
};

type Shows = { identity: Identity; called: Called<Identity>; onChanged: () => void };

const Actions = ({ identity, called, onChanged, onRemoved }: Shows & { onRemoved: () => void }) => (
  <div class="buttons">
    <May ask="DELETE /api/v1/domains/{domain}">
      <RemoveDomain identity={identity} onRemoved={onRemoved} />
    </May>
    <May ask="PATCH /api/v1/domains/{domain}">
      <ChangeAddress identity={identity} onSet={onChanged} />
      {!identity.isDefault && identity.status === 'active' && (
        <MakeDefault identity={identity} onMade={onChanged} />
      )}
    </May>
    <button type="button" onClick={called.reload} aria-disabled={called.isLoading}>
      {called.isLoading ? 'Checking…' : 'Check DNS'}
    </button>
  </div>
);

function Known({ identity, called, onChanged }: Shows) {
  const { status, reason, sendingAs, records, account, tenant, zoneFile, isDefault } = identity;
  const { dkim, mailFrom } = identity;
  const found = records.filter(({ state }) => state === 'found').length;
  const summary = `${statusWords[status][0]}. ${found} of ${records.length} records found.`;
  const isWaiting = found < records.length || status === 'pending';
  useLiveStatus(summary, isWaiting, called.reload);
  return (
    <>
      <dl class="facts card">
        <Fact name="From address">
          <Foreign text={identity.fromEmail} />
        </Fact>
        <Fact name="Status">
          <StateBadge of={statusWords[status]} /> {reason && <LongForeign text={reason} />}
        </Fact>
        <Fact name="Amazon SES">
          DKIM: {sesWords[dkim.status]}. MAIL FROM: {sesWords[mailFrom.status]}.
        </Fact>
        {isDefault && sendingAs?.fromEmail !== identity.fromEmail && (
          <Fact name="Default sender">
            {sendingAs ? <Foreign text={sendingAs.fromEmail} /> : 'None: name one in each email'}
          </Fact>
        )}
      </dl>
      {status === 'failed' && (
        <p class="notice bad">
          Amazon SES gave up after 72 hours. Publish the records, then choose “Verify now”.
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
      <div class="section">
        <h3>DNS records</h3>
        <CopyButton text={zoneFile} what="zone file" label="Copy zone file" />
      </div>
      <p class="quiet">
        {found} of {records.length} found{isWaiting && ', checked every 15 seconds'}. Most DNS
        providers append the grey part of a name, so Copy leaves it out.
      </p>
      <DnsRecords records={records} />
      {status !== 'active' && may('POST /api/v1/domains/{domain}/verify') && (
        <p class="buttons">
          <VerifyNow domain={identity.domain} onVerified={onChanged} />
        </p>
      )}
      <SandboxGuide identity={identity} />
    </>
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

/** Restarts checks that Amazon SES or the service has given up. */
const VerifyNow = ({ domain, onVerified }: { domain: string; onVerified: () => void }) => (
  <ActionButton
    label="Verify now"
    working="Verifying…"
    look="plain"
    act={async () => {
      await call('POST /api/v1/domains/{domain}/verify', { path: { domain } });
      toast('Verification started');
      onVerified();
    }}
  />
);

const MakeDefault = ({ identity, onMade }: { identity: Identity; onMade: () => void }) => (
  <ConfirmButton
    label="Set as default…"
    question="Make this the default domain?"
    yes="Set as default"
    look="plain"
    isHarmless
    act={async () => {
      const path = { domain: identity.domain };
      await call('PATCH /api/v1/domains/{domain}', { path, body: { default: true } });
      toast('Default domain changed');
      onMade();
    }}
  >
    <p>
      Sends without a From address then come from <Foreign text={identity.fromEmail} />.
    </p>
  </ConfirmButton>
);

const ChangeAddress = ({ identity, onSet }: { identity: Identity; onSet: () => void }) => (
  <DialogButton label="Change address…" title="Change the From address">
    <ChangeForm
      submit="Save"
      act={async (typed) => {
        const body = {
          fromEmail: requiredChangeOf(identity.fromEmail, typed('fromEmail')),
          mailFromLabel: requiredChangeOf(labelOf(identity), typed('mailFromLabel') ?? 'bounces'),
        };
        if (changedNames(body).length === 0) return toast('Nothing to save');
        await call('PATCH /api/v1/domains/{domain}', { path: { domain: identity.domain }, body });
        toast('Domain saved');
        onSet();
      }}
    >
      <Field
        label="From address"
        name="fromEmail"
        type="email"
        value={identity.fromEmail}
        hint="An address at that domain"
        required
      />
      <Field
        label="Bounce subdomain"
        name="mailFromLabel"
        value={labelOf(identity)}
        hint="“bounces” by default: bounces go to bounces.<domain>"
      />
    </ChangeForm>
  </DialogButton>
);

const labelOf = ({ domain, mailFrom }: Identity): string =>
  mailFrom.domain.replace(`.${domain}`, '');

function RemoveDomain({ identity, onRemoved }: { identity: Identity; onRemoved: () => void }) {
  const { domain, isDefault, sendingAs } = identity;
  const replaced = isDefault && sendingAs?.domain !== domain ? sendingAs : null;
  return (
    <ConfirmButton
      label="Remove…"
      name="Remove this domain"
      question="Remove this domain?"
      yes="Remove"
      look="plain"
      act={async () => {
        await call('DELETE /api/v1/domains/{domain}', { path: { domain } });
        toast('Domain removed');
        onRemoved();
      }}
    >
      <p>
        Every send from <Foreign text={domain} /> is refused from then on, and others can claim it.
        {isDefault && replaced === null && ' So is every send without a From address.'}
      </p>
      {replaced && (
        <p>
          Sends without a From address still come from <Foreign text={replaced.fromEmail} />.
        </p>
      )}
    </ConfirmButton>
  );
}

const stateWords = {
  found: ['Found', 'good'],
  missing: ['Missing', 'warn'],
  wrong: ['Wrong', 'bad'],
  unknown: ['DNS didn’t answer', 'quiet'],
} as const satisfies Record<Identity['records'][number]['state'], readonly [string, Tone]>;

const purposeWords: Readonly<Record<Identity['records'][number]['purpose'], string>> = {
  ownership: 'Ownership',
  dkim: 'DKIM',
  mail_from_mx: 'MAIL FROM',
  mail_from_spf: 'SPF',
  dmarc: 'DMARC',
};

const policyWords = {
  none: 'Forged emails are delivered as usual (p=none).',
  quarantine: 'Forged emails go to spam (p=quarantine).',
  reject: 'Forged emails are refused (p=reject).',
} as const satisfies Record<NonNullable<Identity['records'][number]['policy']>, string>;

/** With copy buttons, and DNS's current value where it differs. */
const DnsRecords = ({ records }: Pick<Identity, 'records'>) => (
  <table class="boxed records" aria-label="DNS records">
    <thead>
      <tr>
        <th scope="col">Record</th>
        <th scope="col">Type</th>
        <th scope="col">Name</th>
        <th scope="col">Value</th>
        <th scope="col">Status</th>
      </tr>
    </thead>
    <tbody>
      {records.map((record) => (
        <tr key={`${record.type} ${record.name}`}>
          <td>
            <b>{purposeWords[record.purpose]}</b>{' '}
            {!record.isRequired && <small class="quiet">optional</small>}
          </td>
          <td class="quiet">{record.type}</td>
          <td>
            <Copyable what="name" text={record.relativeName} of={record.purpose}>
              <span class="quiet">{record.name.slice(record.relativeName.length)}</span>
            </Copyable>
          </td>
          <td>
            <Copyable what="value" text={record.value} of={record.purpose} />
            {record.policy && <p class="quiet">{policyWords[record.policy]}</p>}
            {record.state !== 'found' && record.seen.length > 0 && (
              <p class="fault">
                DNS has: <LongForeign text={record.seen.join(' · ')} />
              </p>
            )}
            {record.hint && <p class="quiet">{record.hint}</p>}
          </td>
          <td>
            <StateBadge of={stateWords[record.state]} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

const Copyable = ({
  what,
  text,
  of,
  children,
}: {
  what: string;
  text: string;
  of: string;
  children?: ComponentChildren;
}) => (
  <div class="copyable">
    <code>
      <Breakable text={text} />
      {children}
    </code>
    <CopyButton text={text} what={`${what} of ${of}`} />
  </div>
);
