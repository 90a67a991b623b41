import { Component, type ComponentChildren, render } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';
import lazy from 'preact-iso/lazy';
import { LocationProvider, Route, Router, useLocation } from 'preact-iso/router';
import { type ApiFailure, session } from './api-client.ts';
import { Address } from './contacts/address.tsx';
import { Email } from './emails/email.tsx';
import { Emails } from './emails/emails.tsx';
import { OverviewPage } from './overview/overview.tsx';
import { Announcer } from './shared/announce.tsx';
import { Page } from './shared/page.tsx';
import { readSession, type Session } from './shared/session.ts';
import { Failure } from './shared/states.tsx';
import { toFailure } from './shared/use-call.ts';
import { Shell } from './shell.tsx';
import { SignIn, SignInByLink } from './sign-in.tsx';

// What a person opens most comes with the app. The rest comes by area, when the first page of it is opened.
const people = async () => (await import('./suppressions/pages.ts')).peoplePages;
const Contacts = lazy(async () => (await people()).Contacts);
const Suppressions = lazy(async () => (await people()).Suppressions);
const LiftMany = lazy(async () => (await people()).LiftMany);
const MoveSuppressions = lazy(async () => (await people()).MoveSuppressions);

const templates = async () => (await import('./templates/template-pages.ts')).templatePages;
const Templates = lazy(async () => (await templates()).Templates);
const NewTemplate = lazy(async () => (await templates()).NewTemplate);
const TemplatePage = lazy(async () => (await templates()).TemplatePage);

const webhooks = async () => (await import('./webhooks/webhook-pages.ts')).webhookPages;
const Webhooks = lazy(async () => (await webhooks()).Webhooks);
const WebhookPage = lazy(async () => (await webhooks()).WebhookPage);

const settings = async () => (await import('./settings/pages.ts')).settingsPages;
const GeneralSettings = lazy(async () => (await settings()).GeneralSettings);
const IdentityPage = lazy(async () => (await settings()).IdentityPage);
const Keys = lazy(async () => (await settings()).Keys);
const Policies = lazy(async () => (await settings()).Policies);
const FooterSettings = lazy(async () => (await settings()).FooterSettings);
const Notices = lazy(async () => (await settings()).Notices);
const UsageFigures = lazy(async () => (await settings()).UsageFigures);
const Audit = lazy(async () => (await settings()).Audit);

const signInPath = '/console/sign-in';

function Start() {
  const { route } = useLocation();
  useEffect(() => route('/console', true), [route]);
  return null;
}

const NotFound = () => (
  <Page title="No such page" lead="Nothing has this address. A page may have moved.">
    <p>
      <a href="/console">Go to the overview</a>
    </p>
  </Page>
);

/** A fault of the page, or a part of it that no longer loads after a new deployment. */
class Safe extends Component<{ path: string; children: ComponentChildren }, { error?: unknown }> {
  override state: { error?: unknown } = {};

  static override getDerivedStateFromError(error: unknown) {
    return { error };
  }

  /** The fault of one page is not that of the next. */
  override componentDidUpdate({ path }: { path: string }) {
    if (path !== this.props.path) this.setState({ error: undefined });
  }

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return <Failure failure={toFailure(error)} retry={() => location.reload()} />;
  }
}

function App() {
  const { path, route } = useLocation();
  // The server never sees what stands behind the `#`.
  const link = path === signInPath ? location.hash.slice(1) : '';
  const [who, setWho] = useState<Session | 'nobody' | 'unknown'>('unknown');
  const [hasEnded, setEnded] = useState(false);
  const [failure, setFailure] = useState<ApiFailure>();
  const look = useCallback(async () => {
    setFailure(undefined);
    try {
      const found = await readSession();
      session.organizationId = found?.organization.id ?? '';
      setWho(found ?? 'nobody');
    } catch (error) {
      setFailure(toFailure(error));
    }
  }, []);
  useEffect(() => {
    session.onEnd = () => {
      setEnded(true);
      setWho('nobody');
    };
    void look();
  }, [look]);

  if (link) {
    const onSignedIn = async () => {
      route('/console', true);
      await look();
    };
    return <SignInByLink link={link} onSignedIn={onSignedIn} />;
  }
  if (failure) return <Failure failure={failure} retry={() => void look()} />;
  if (who === 'unknown') return <p class="loading">Loading…</p>;
  // The address stays, so that signing in leads to the page that was asked for.
  if (who === 'nobody') return <SignIn hasEnded={hasEnded} onSignedIn={look} />;
  return (
    <Shell session={who} reload={look} onSignedOut={() => setWho('nobody')}>
      <Safe path={path}>
        <Router>
          <Route path="/console" component={OverviewPage} />
          <Route path={signInPath} component={Start} />
          <Route path="/console/emails" component={Emails} />
          <Route path="/console/emails/:id" component={Email} />
          <Route path="/console/addresses/:email" component={Address} />
          <Route path="/console/contacts" component={Contacts} />
          <Route path="/console/suppressions" component={Suppressions} />
          <Route path="/console/suppressions/lift" component={LiftMany} />
          <Route path="/console/suppressions/move" component={MoveSuppressions} />
          <Route path="/console/templates" component={Templates} />
          <Route path="/console/templates/new" component={NewTemplate} />
          <Route path="/console/templates/:id" component={TemplatePage} />
          <Route path="/console/settings" component={GeneralSettings} />
          <Route path="/console/settings/identity" component={IdentityPage} />
          <Route path="/console/settings/keys" component={Keys} />
          <Route path="/console/settings/policies" component={Policies} />
          <Route path="/console/settings/footer" component={FooterSettings} />
          <Route path="/console/settings/notices" component={Notices} />
          <Route path="/console/settings/usage" component={UsageFigures} />
          <Route path="/console/settings/audit" component={Audit} />
          <Route path="/console/webhooks" component={Webhooks} />
          <Route path="/console/webhooks/:id" component={WebhookPage} />
          <Route default component={NotFound} />
        </Router>
      </Safe>
    </Shell>
  );
}

render(
  <LocationProvider scope="/console">
    <App />
    <Announcer />
  </LocationProvider>,
  document.querySelector('#app') ?? document.body,
);
