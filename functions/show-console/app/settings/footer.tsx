import { useLocation } from 'preact-iso/router';
import { Field } from '../shared/form.tsx';
import { addressWith, oneOf } from '../shared/paging.ts';
import { Shown } from '../shared/states.tsx';
import { Foreign } from '../shared/text.tsx';
import { TextArea } from '../shared/text-area.tsx';
import { changeOf } from './settings-changes.ts';
import { type Settings, SettingsForm, useSettings } from './settings-form.tsx';
import { SettingsPage } from './settings-page.tsx';

const here = '/console/settings/footer';

const pages = {
  preferences: 'Preferences',
  unsubscribe: 'Unsubscribe?',
  unsubscribed: 'Unsubscribed',
} as const;

/** How bulk emails end, and where their links lead. */
export function FooterSettings() {
  const settings = useSettings();
  return (
    <SettingsPage
      title="Footer and unsubscribe page"
      lead="How emails of a bulk policy end, and where the links in them lead."
    >
      <Shown of={settings}>
        {(value) => (
          <>
            <h2>Footer</h2>
            <SettingsForm
              settings={value}
              onRead={settings.onRead}
              changes={(typed) => ({ footerText: changeOf(value.footerText, typed('footerText')) })}
            >
              <TextArea
                label="Text of the footer"
                name="footerText"
                value={value.footerText}
                hint="Many countries ask for a postal address. The links stand below it. Empty: the name of the organization"
              />
            </SettingsForm>
            <Preview page="footer" title="The footer, as it is saved" settings={value} />
            <h2>Unsubscribe page</h2>
            <SettingsForm
              settings={value}
              onRead={settings.onRead}
              changes={(typed) => ({
                unsubscribePageUrl: changeOf(value.unsubscribePageUrl, typed('unsubscribePageUrl')),
              })}
            >
              <Field
                label="A page of your own"
                name="unsubscribePageUrl"
                type="url"
                value={value.unsubscribePageUrl}
                hint="It begins with https://, and gets a token that shows and changes preferences. Empty: the page below"
              />
            </SettingsForm>
            <Pages settings={value} />
          </>
        )}
      </Shown>
    </SettingsPage>
  );
}

function Pages({ settings }: { settings: Settings }) {
  const { query } = useLocation();
  const shown = oneOf(['unsubscribe', 'unsubscribed'], query['page']) ?? 'preferences';
  const { unsubscribePageUrl } = settings;
  return (
    <>
      <h3>As recipients see them</h3>
      <nav class="subnav" aria-label="Pages to look at">
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
        For an invented recipient; its buttons do nothing. What can be chosen there are your{' '}
        <a href="/console/settings/policies">categories</a>.
      </p>
    </>
  );
}

/** A page with a policy of its own, in which nothing runs. It is asked for anew when the settings are others. */
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
    // A frame that is led elsewhere would take the back button for itself.
    key={`${page} ${updatedAt}`}
    title={title}
    src={`/console/preview/${page}?of=${updatedAt}`}
  />
);
