/** As a browser does on this machine: one jar for all ports, redirects followed, no page's origin but the service's. */
export type Browser = ReturnType<typeof openBrowser>;

type Visit = {
  readonly status: number;
  readonly url: URL;
  readonly text: string;
  readonly headers: Headers;
};

const maxRedirects = 12;

export function openBrowser(baseUrl: string) {
  const jar = new Map<string, string>();
  const cookie = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');

  function keep(headers: Headers): void {
    for (const text of headers.getSetCookie()) {
      const [pair = '', ...attributes] = text.split(';');
      const [name = '', ...value] = pair.split('=');
      const isOver = attributes.some((one) =>
        /^\s*(max-age=0$|expires=thu, 01 jan 1970)/i.test(one),
      );
      if (isOver) jar.delete(name);
      else jar.set(name, value.join('='));
    }
  }

  async function once(url: URL, init: RequestInit = {}): Promise<Visit> {
    const headers = new Headers(init.headers);
    headers.set('cookie', cookie());
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    keep(response.headers);
    const { status } = response;
    return { status, url, text: await response.text(), headers: response.headers };
  }

  /** Goes where redirects lead, and stops before an address that starts like `until`. */
  async function go(address: string | URL, init: RequestInit = {}, until = 'no such address') {
    let visit = await once(new URL(address, baseUrl), init);
    for (let hops = 0; hops < maxRedirects; hops += 1) {
      const location = visit.headers.get('location');
      if (location === null) return visit;
      const next = new URL(location, visit.url);
      if (next.href.startsWith(until)) return { ...visit, url: next };
      visit = await once(next);
    }
    throw new Error(`Too many redirects: ${visit.url}`);
  }

  const callback = `${baseUrl}/console/oidc/callback`;

  /** Up to the address with the issuer's answer, which isn't opened. */
  async function askIssuer(account: string, query = ''): Promise<URL> {
    const page = await go(`/console/oidc/sign-in${query}`, {}, callback);
    if (page.url.href.startsWith(callback)) return page.url;
    const form = { method: 'POST', body: new URLSearchParams({ account }) };
    return (await go(page.url, form, callback)).url;
  }

  return {
    jar,
    go,
    askIssuer,
    signIn: async (account: string, query?: string): Promise<Visit> => {
      const answer = await askIssuer(account, query);
      return go(answer, { headers: { accept: 'text/html' } }, `${baseUrl}/console/sign-in`);
    },
    /** What the console's own requests get. */
    call: async (method: string, path: string, body?: unknown) => {
      const visit = await once(new URL(path, baseUrl), {
        method,
        headers: {
          origin: baseUrl,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const json: unknown = visit.text === '' ? undefined : JSON.parse(visit.text);
      return { status: visit.status, json };
    },
  };
}
