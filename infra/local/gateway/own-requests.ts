import type { IncomingHttpHeaders } from 'node:http';

// Any page in a developer's browser can send requests to this machine, and a page whose own host name suddenly resolves
// to it can read the answers, too (DNS rebinding). The twin's pages show keys and emails, and `/_local` asks for none.

/** The names of this machine; the link domains are below `localhost`. */
const isOwnHost = (host = ''): boolean =>
  /^(?:(?:[a-z0-9-]+\.)*localhost\.?|127\.0\.0\.1|\[::1\])(?::\d+)?$/i.test(host);

/** For programs, which authenticate: in a container, this machine has a different name. */
const ofPrograms = /^\/(?:api|resend|postmark)\//;

const signsIn = /^\/_local\/(?:console$|sign-in\/)/;

/** Why a request is refused; `undefined` if it isn't. */
export function refusalOf(
  method: string,
  path: string,
  { host, origin, 'sec-fetch-site': site }: IncomingHttpHeaders,
): { readonly status: number; readonly message: string } | undefined {
  if (!isOwnHost(host) && !ofPrograms.test(path)) {
    return {
      status: 421,
      message: 'The local server answers to localhost, 127.0.0.1 and [::1] only',
    };
  }
  const isRead = method === 'GET' || method === 'HEAD';
  const changes = path.startsWith('/_local/') && (!isRead || signsIn.test(path));
  const isFromElsewhere =
    (origin !== undefined && origin.toLowerCase() !== `http://${host?.toLowerCase()}`) ||
    (site !== undefined && site !== 'same-origin' && site !== 'none');
  return changes && isFromElsewhere
    ? { status: 403, message: 'Requests of other sites are refused' }
    : undefined;
}
