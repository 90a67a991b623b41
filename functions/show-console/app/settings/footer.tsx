import { useLocation } from 'preact-iso/router';
import { Choice, Field, TextArea } from '../parts/form.tsx';
import { Card } from '../parts/page.tsx';
import { Shown } from '../parts/states.tsx';
import { Foreign } from '../parts/text.tsx';
import { changeOf, switchChangeOf } from '../shared/changes.ts';
import { addressWith, oneOf } from '../shared/paging.ts';
import { type Settings, SettingsForm, type SettingsPart, useSettings } from './settings-form.tsx';
import { SettingsPage } from './settings-page.tsx';

const here = '/console/settings/footer';

const pages = {
  preferences: 'Preferences',
  unsubscribe: 'Unsubscribe?',
  unsubscribed: 'Unsubscribed',
} as const;

/** The footer of bulk emails, and the pages its links open. */
export function FooterSettings() {
  const settings = useSettings();
  return (
    <SettingsPage
      name="Footer and unsubscribe page"
      lead="The end of your bulk emails, and the pages its links lead to."
    >
      <Shown of={settings}>
        {(value) => (
          <>
            <Card title="Footer">
              <FooterText settings={value} onRead={settings.onRead} />
              <Preview page="footer" title="The saved footer" settings={value} />
            </Card>
            <Card title="One-click unsubscribe">
              <OneClick settings={value} onRead={settings.onRead} />
            </Card>
            <Card title="Unsubscribe page">
              <OwnPage settings={value} onRead={settings.onRead} />
              <Pages settings={value} />
            </Card>
          </>
        )}
      </Shown>
    </SettingsPage>
  );
}

const FooterText = (part: SettingsPart) => (
  <SettingsForm
    {...part}
    changes={(typed, filled) => ({
      footerText: changeOf(filled.footerText, typed('footerText')),
    })}
  >
    {({ footerText }) => (
      <TextArea
        label="Footer text"
        name="footerText"
        value={footerText}
        hint="Many countries require a postal address. The links go below it. Leave empty for your organization’s name."
      />
    )}
  </SettingsForm>
);

const OneClick = (part: SettingsPart) => (
  <SettingsForm
    {...part}
    changes={(typed, filled) => ({
      transactionalUnsubscribe: switchChangeOf(
        filled.transactionalUnsubscribe,
        typed('transactionalUnsubscribe'),
      ),
    })}
  >
    {({ transactionalUnsubscribe }) => (
      <Choice
        label="Transactional emails"
        name="transactionalUnsubscribe"
        value={transactionalUnsubscribe ? 'on' : 'off'}
        options={[
          ['on', 'On: unsubscribes from bulk emails, or from the category'],
          ['off', 'Off: only bulk emails have it'],
        ]}
      />
    )}
  </SettingsForm>
);

const OwnPage = (part: SettingsPart) => (
  <SettingsForm
    {...part}
    changes={(typed, filled) => ({
      unsubscribePageUrl: changeOf(filled.unsubscribePageUrl, typed('unsubscribePageUrl')),
    })}
  >
    {({ unsubscribePageUrl }) => (
      <Field
        label="Your own page"
        name="unsubscribePageUrl"
        type="url"
        value={unsubscribePageUrl}
        hint="An https:// URL. It gets a token to show and change preferences. Leave empty for the page below."
      />
    )}
  </SettingsForm>
);

function Pages({ settings }: { settings: Settings }) {
  const { query } = useLocation();
  const shown = oneOf(['unsubscribe', 'unsubscribed'], query['page']) ?? 'preferences';
  const { unsubscribePageUrl } = settings;
  return (
    <>
      <h3>What recipients see</h3>
      <nav class="subnav" aria-label="Pages">
        {(['preferences', 'unsubscribe', 'unsubscribed'] as const).map((page) => (
          <a
            key={page}
            href={addressWith(here, { page: page === 'preferences' ? undefined : page })}
            aria-current={page === shown ? 'page' : undefined}
          >
            {pages[page]}
          </a>
        ))}
      </nav>
      {unsubscribePageUrl !== undefined && shown === 'unsubscribe' ? (
        <p class="notice">
          The link leads to your own page: <Foreign text={unsubscribePageUrl} most={2_048} />
        </p>
      ) : (
        <Preview page={shown} title={`The page “${pages[shown]}”`} settings={settings} isTall />
      )}
      <p class="quiet">
        Shown for an example recipient; the buttons do nothing. The choices are your{' '}
        <a href="/console/settings/policies">categories</a>.
      </p>
    </>
  );
}

/** A page under its own content security policy, without scripts. It reloads when the settings change. */
const Preview = ({
  page,
  title,
  settings: { updatedAt },
  isTall = false,
}: {
  page: 'footer' | keyof typeof pages;
  title: string;
  settings: Settings;
  isTall?: boolean;
}) => (
  <iframe
    class={isTall ? 'as-seen tall' : 'as-seen'}
    // Without a new key, the frame would navigate and add entries to the browser's history.
    key={`${page} ${updatedAt}`}
    title={title}
    sandbox=""
    src={`/console/preview/${page}?of=${updatedAt}`}
  />
);
