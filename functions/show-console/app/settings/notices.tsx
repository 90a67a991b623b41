import {
  leastNotedRecipients,
  nearShare,
  percentOf,
  type RateKind,
  reviewRates,
} from '#shared/usage/reputation-limits';
import { call } from '../api-client.ts';
import { toast } from '../parts/announce.tsx';
import { ChangeForm, Field } from '../parts/form.tsx';
import { Card } from '../parts/page.tsx';
import { Shown } from '../parts/states.tsx';
import { Badge } from '../parts/text.tsx';
import { changeOf } from '../shared/changes.ts';
import { addressWith } from '../shared/paging.ts';
import { NoticeTargets } from './notice-targets.tsx';
import { SettingsForm, type SettingsPart, useSettings } from './settings-form.tsx';
import { SettingsPage } from './settings-page.tsx';

const noticeRateOf = (kind: RateKind): string =>
  `${percentOf(nearShare * reviewRates[kind].perMille, 1_000)}%`;

/** With a button to send the confirmation again. */
function AddressState({ settings: { noticeEmailState } }: Pick<SettingsPart, 'settings'>) {
  if (noticeEmailState === undefined) return null;
  if (noticeEmailState === 'confirmed') {
    return (
      <p>
        <Badge tone="good">Confirmed</Badge>
      </p>
    );
  }
  return (
    <>
      <p class="notice warn">
        <b>Waiting for confirmation.</b> This address gets a link from your own domain, once that’s
        active. It gets no notices until someone opens the link and confirms.
      </p>
      <ChangeForm submit="Send the link again" act={sendLinkAgain}>
        {null}
      </ChangeForm>
    </>
  );
}

async function sendLinkAgain() {
  await call('POST /api/v1/organization/notice-email/confirmation', {});
  toast('The link goes out within a minute.');
}

const Address = (part: SettingsPart) => (
  <SettingsForm
    {...part}
    changes={(typed, filled) => ({
      noticeEmail: changeOf(filled.noticeEmail, typed('noticeEmail')),
    })}
  >
    {({ noticeEmail }) => (
      <Field
        label="Notice address"
        name="noticeEmail"
        type="email"
        value={noticeEmail}
        hint="A shared inbox works best. Leave empty for no emails."
      />
    )}
  </SettingsForm>
);

export function Notices() {
  const settings = useSettings();
  return (
    <SettingsPage
      name="Notices"
      lead="The service tells your team when something needs attention, at most once a day per cause."
    >
      <Shown of={settings}>
        {(value) => (
          <>
            {value.noticeEmail === undefined && (
              <p class="notice warn">No address is set, so you get no notices by email.</p>
            )}
            <Card>
              <AddressState settings={value} />
              <Address settings={value} onRead={settings.onRead} />
              {value.noticeEmail && (
                <p>
                  <a href={addressWith('/console/emails', { to: value.noticeEmail })}>
                    Emails sent to it
                  </a>
                </p>
              )}
            </Card>
          </>
        )}
      </Shown>
      <NoticeTargets />
      <Card title="When you get a notice">
        <ul>
          <li>
            A webhook endpoint has been failing for a day and will be disabled, and again when it
            is.
          </li>
          <li>
            The month’s bounce rate reaches {noticeRateOf('bounced')}, or its complaint rate{' '}
            {noticeRateOf('complained')}, with at least {leastNotedRecipients} recipients. Amazon
            SES reviews accounts at {reviewRates.bounced.limit} and {reviewRates.complained.limit}.
          </li>
          <li>Your domain is verified, or Amazon SES can’t find its DKIM records anymore.</li>
          <li>Amazon SES has paused your sending.</li>
          <li>You’ve used 80% of a daily limit, and again when you’ve reached it.</li>
          <li>An API key sends ten times as much as on a usual day, so it may have leaked.</li>
        </ul>
        <p class="quiet">
          Emails come from your own From address and show up under Emails, at most 20 a day.
          Suppressed addresses get none.
        </p>
      </Card>
    </SettingsPage>
  );
}
