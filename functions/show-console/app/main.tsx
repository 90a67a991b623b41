import { Component, type ComponentChildren, type ComponentType, render } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import lazy from 'preact-iso/lazy';
import { LocationProvider, Router, useLocation } from 'preact-iso/router';
import { type ApiFailure, session } from './api-client.ts';
import { Emails } from './emails/emails.tsx';
import { appElement, late } from './late.ts';
import { loadPages } from './load-pages.ts';
import { OverviewPage } from './overview/overview.tsx';
import { Announcer } from './parts/announce.tsx';
import { Glyphs } from './parts/glyph.tsx';
import { NotFound, NotYours } from './parts/page.tsx';
import { Failure } from './parts/states.tsx';
import { pageAfterSignIn } from './shared/addresses.ts';
import { lackingAt } from './shared/places.ts';
import { followOtherTabs, isOperator, leave, readSession, type Session } from './shared/session.ts';
import { toFailure } from './shared/use-call.ts';
import { Shell } from './shell.tsx';
import { SignIn, SignInByLink } from './sign-in.tsx';

// The pages people see first come with the app; the others load when first opened.
const Email = lazy(async () => (await loadPages()).Email);
const Contacts = lazy(async () => (await loadPages()).Contacts);
const Address = lazy(async () => (await loadPages()).Address);
const Suppressions = lazy(async () => (await loadPages()).Suppressions);
const LiftMany = lazy(async () => (await loadPages()).LiftMany);
const MoveSuppressions = lazy(async () => (await loadPages()).MoveSuppressions);
const Templates = lazy(async () => (await loadPages()).Templates);
const loadTemplate = () => late('template', () => import('./templates/template.tsx'));
const NewTemplate = lazy(async () => (await loadTemplate()).NewTemplate);
const TemplatePage = lazy(async () => (await loadTemplate()).TemplatePage);
const Webhooks = lazy(async () => (await loadPages()).Webhooks);
const WebhookPage = lazy(async () => (await loadPages()).WebhookPage);
const Settings = lazy(async () => (await loadPages()).Settings);
const DomainPage = lazy(async () => (await loadPages()).DomainPage);
const Domains = lazy(async () => (await loadPages()).Domains);
const RefusedRequests = lazy(async () => (await loadPages()).RefusedRequests);
const Keys = lazy(async () => (await loadPages()).Keys);
const UsagePage = lazy(async () => (await loadPages()).UsagePage);
const You = lazy(async () => (await loadPages()).You);
const loadOperator = () =>
  late('operator', async () => (await import('./operator/operator.ts')).operatorPages);
const Organizations = lazy(async () => (await loadOperator()).Organizations);
const Organization = lazy(async () => (await loadOperator()).OrganizationPage);
const Claims = lazy(async () => (await loadOperator()).Claims);
const Costs = lazy(async () => (await loadOperator()).Costs);
const loadChangelog = () => late('changelog', () => import('./changelog.tsx'));
const Changelog = lazy(async () => (await loadChangelog()).Changelog);

const signInPath = '/console/sign-in';

function Start() {
  const { query, route } = useLocation();
  // Once: it stays until the page has loaded, when the address no longer says where to.
  useEffect(() => route(pageAfterSignIn(query['to']), true), []);
  return null;
}

/** Catches errors from pages, and chunks that a new deployment has replaced. */
class Safe extends Component<{ path: string; children: ComponentChildren }, { error?: unknown }> {
  override state: { error?: unknown } = {};

  static override getDerivedStateFromError(error: unknown) {
    return { error };
  }

  /** Navigation clears the failure. */
  override componentDidUpdate({ path }: { path: string }) {
    if (path !== this.props.path) this.setState({ error: undefined });
  }

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return <Failure failure={toFailure(error)} retry={() => location.reload()} />;
  }
}

type RouteProps = { path?: string; default?: boolean; component: ComponentType };

/** Mounts a page for each path: what happened on one email's page isn't for the next. */
function Route({ path = '', component: Shown }: RouteProps) {
  const lacks = lackingAt(path);
  return lacks === undefined ? <Shown key={path} /> : <NotYours key={path} scope={lacks} />;
}

/** For operators, whose pages need no scopes. */
const Open = ({ path = '', component: Shown }: RouteProps) => <Shown key={path} />;

function App() {
  const { path, query, route } = useLocation();
  // Browsers never send what follows the `#`.
  const link = path === signInPath ? location.hash.slice(1) : '';
  const [who, setWho] = useState<Session | 'signed out' | 'ended' | 'unknown'>('unknown');
  const [failure, setFailure] = useState<ApiFailure>();
  const goTo = useRef(route);
  goTo.current = route;
  const readAgain = useCallback(async () => {
    setFailure(undefined);
    try {
      const found = await readSession(location.pathname === signInPath);
      const { organizationId } = session;
      // What this tab's address names is of the organization before: another tab may have switched.
      if (found && organizationId && organizationId !== found.organization.id) {
        goTo.current('/console', true);
      }
      session.organizationId = found?.organization.id ?? '';
      session.scopes = found?.scopes ?? [];
      session.isOfPerson = found?.person !== undefined;
      session.isVisit = found?.person?.entered !== undefined;
      setWho(found ?? 'signed out');
    } catch (error) {
      setFailure(toFailure(error));
    }
  }, []);
  useEffect(() => {
    // An answer may still come after someone has signed out.
    session.onEnd = () => {
      if (session.isVisit) return void leave().then(readAgain, () => setWho('ended'));
      setWho((before) => (before === 'signed out' ? before : 'ended'));
    };
    session.onChange = () => void readAgain();
    followOtherTabs(() => void readAgain());
    void readAgain();
  }, [readAgain]);

  if (link) {
    // A different address: the router doesn't notice when only the `#` part goes.
    const goOn = () => route(pageAfterSignIn(query['to']), true);
    const onSignedIn = async () => {
      goOn();
      await readAgain();
    };
    return <SignInByLink link={link} onSignedIn={onSignedIn} askHere={goOn} />;
  }
  if (failure) return <Failure failure={failure} retry={() => void readAgain()} />;
  if (who === 'unknown') return <p class="loading">Loading…</p>;
  // The address stays, so signing in leads to the requested page.
  if (who === 'signed out' || who === 'ended') {
    return <SignIn hasEnded={who === 'ended'} onSignedIn={readAgain} />;
  }
  return (
    <Shell
      // Nothing of one organization is shown under the name of another, nor what a role no longer allows.
      key={`${who.organization.id} ${who.scopes}`}
      session={who}
      reload={readAgain}
      onSignedOut={() => setWho('signed out')}
    >
      <Safe path={path}>
        {isOperator(who) ? (
          <Router>
            <Open path="/console" component={Organizations} />
            <Open path={signInPath} component={Start} />
            <Open path="/console/organizations/:id" component={Organization} />
            <Open path="/console/claims" component={Claims} />
            <Open path="/console/costs" component={Costs} />
            <Open path="/console/you" component={You} />
            <Open path="/console/changelog" component={Changelog} />
            <Open default component={NotFound} />
          </Router>
        ) : (
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
            <Route path="/console/domains" component={Domains} />
            <Route path="/console/domains/:domain" component={DomainPage} />
            <Route path="/console/keys" component={Keys} />
            <Route path="/console/refused" component={RefusedRequests} />
            <Route path="/console/usage" component={UsagePage} />
            <Route path="/console/settings/:part?" component={Settings} />
            <Route path="/console/you" component={You} />
            <Route path="/console/changelog" component={Changelog} />
            <Route path="/console/webhooks" component={Webhooks} />
            <Route path="/console/webhooks/:id" component={WebhookPage} />
            <Route default component={NotFound} />
          </Router>
        )}
      </Safe>
    </Shell>
  );
}

appElement().replaceChildren();
render(
  <LocationProvider scope="/console">
    <App />
    <Announcer />
    <Glyphs />
  </LocationProvider>,
  appElement(),
);
