import { call } from '../api-client.ts';
import { announce } from '../shared/announce.tsx';
import { ChangeForm, Field } from '../shared/form.tsx';
import { addressWith } from '../shared/paging.ts';
import { Shown } from '../shared/states.tsx';
import { Badge } from '../shared/text.tsx';
import { changeOf } from './settings-changes.ts';
import { type Settings, SettingsForm, useSettings } from './settings-form.tsx';
import { SettingsPage } from './settings-page.tsx';

/** Whether the address has said that it wants notices, and a way to ask it again. */
function AddressState({ settings: { noticeEmailState } }: { settings: Settings }) {
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
        <b>Waiting for a confirmation.</b> A link was mailed to this address from your own domain,
        or will be once your domain is active. It gets no notices before somebody opens the link and
        presses its button.
      </p>
      <ChangeForm submit="Mail the link again" act={mailLinkAgain}>
        {null}
      </ChangeForm>
    </>
  );
}

async function mailLinkAgain() {
  await call('POST /api/v1/organization/notice-email/confirmation', {});
  announce('The link leaves within a minute.');
}

/** Where the service writes to the organization, and when. */
export function Notices() {
  const settings = useSettings();
  return (
    <SettingsPage
      title="Notices"
      lead="The service writes to your team when something needs it: one email a day at most for each cause."
    >
      <Shown of={settings}>
        {(value) => (
          <>
            {value.noticeEmail === undefined && (
              <p class="notice warn">Nobody is told: no address is set.</p>
            )}
            <AddressState settings={value} />
            <SettingsForm
              settings={value}
              onRead={settings.onRead}
              changes={(typed) => ({
                noticeEmail: changeOf(value.noticeEmail, typed('noticeEmail')),
              })}
            >
              <Field
                label="Address for notices"
                name="noticeEmail"
                type="email"
                value={value.noticeEmail}
                hint="Best an address that several of you read. Empty: no notices"
              />
            </SettingsForm>
            {value.noticeEmail && (
              <p>
                <a href={addressWith('/console/emails', { to: value.noticeEmail })}>
                  What was sent to it
                </a>
              </p>
            )}
          </>
        )}
      </Shown>
      <h2>What it is told</h2>
      <ul>
        <li>A webhook endpoint has failed for a day, and will be disabled. Then, that it is.</li>
        <li>
          The month’s bounce rate reaches 4 %, or its complaint rate 0.08 %, from 100 sends on.
          Amazon SES puts an account under review at 5 % and 0.1 %.
        </li>
        <li>Your domain is verified, or Amazon SES has lost its DKIM records.</li>
        <li>Amazon SES has paused your sending.</li>
        <li>An API key sends ten times its usual day: it may have leaked.</li>
      </ul>
      <p class="quiet">
        A notice comes from your own From address and is in your list of emails: at most 20 a day. A
        suppressed address gets none.
      </p>
    </SettingsPage>
  );
}
