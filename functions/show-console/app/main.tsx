const sessionPath = '/console/session';
const app = document.querySelector('#app');

type Session = {
  readonly organization: { readonly name: string };
  readonly expiresAt: number;
};

/** Shows these, and leads the keyboard and screen readers to the first. */
function show(heading: string, ...parts: readonly (Node | string)[]): void {
  const title = document.createElement('h1');
  title.tabIndex = -1;
  title.textContent = heading;
  app?.replaceChildren(title, ...parts);
  title.focus();
}

function button(label: string, act: () => Promise<void>): HTMLButtonElement {
  const element = document.createElement('button');
  element.textContent = label;
  element.addEventListener('click', () => run(act));
  return element;
}

/** What cannot be done is said where a screen reader announces it. */
function run(act: () => Promise<void>): void {
  act().catch((error: unknown) => {
    const alert = document.createElement('p');
    alert.role = 'alert';
    alert.textContent = error instanceof Error ? error.message : String(error);
    app?.querySelector('[role=alert]')?.remove();
    app?.append(alert);
  });
}

async function ask(method: string, body?: object): Promise<Response> {
  const answer = await fetch(sessionPath, {
    method,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  if (answer.ok) return answer;
  const { detail, requestId } = await answer.json();
  throw new Error(`${detail} (request ${requestId})`);
}

async function signIn(credential: object): Promise<void> {
  await ask('POST', credential);
  history.replaceState(null, '', '/console');
  await showSession();
}

/** A link signs in at the press of a button: a program that only opens it does not use it up. */
function showSignIn(): void {
  const link = location.pathname === '/console/sign-in' ? location.hash.slice(1) : '';
  if (link !== '') {
    show(
      'Sign in',
      button('Sign in to the console', () => signIn({ link })),
    );
    return;
  }
  const form = document.createElement('form');
  const label = document.createElement('label');
  const input = document.createElement('input');
  input.type = 'password';
  input.autocomplete = 'off';
  input.required = true;
  label.append('API key with manage_organization', input);
  const submit = document.createElement('button');
  submit.textContent = 'Sign in';
  form.append(label, submit);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    run(() => signIn({ key: input.value.trim() }));
  });
  show('Sign in', form);
}

async function showSession(): Promise<void> {
  const answer = await fetch(sessionPath);
  if (answer.status === 401) {
    showSignIn();
    return;
  }
  const { organization, expiresAt }: Session = await answer.json();
  const until = document.createElement('p');
  until.textContent = `Signed in until ${new Date(expiresAt).toLocaleTimeString()}.`;
  const signOut = button('Sign out', async () => {
    await ask('DELETE');
    showSignIn();
  });
  show(organization.name, until, signOut);
}

run(showSession);
