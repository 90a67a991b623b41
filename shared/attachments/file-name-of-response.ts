import { malformation } from './file-name.ts';

/**
 * From the server (RFC 6266, with RFC 8187's encoding), or else the last part of the URL. `fileNameFault` judges it. A
 * file of a forbidden type keeps its name, so it's refused.
 */
export function fileNameOf(header: string | undefined, url: URL): string | undefined {
  const disposition = asWritten(header ?? '');
  const [, encoded] = /;\s*filename\*\s*=\s*UTF-8'[^']*'([^;\s]+)/i.exec(disposition) ?? [];
  const [, quoted, plain] =
    /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/i.exec(disposition) ?? [];
  const named = [
    decoded(encoded),
    quoted?.replaceAll(/\\(.)/g, '$1'),
    plain,
    decoded(url.pathname.split('/').at(-1)),
  ];
  const names = named.flatMap((name) => name || []);
  return names.find((name) => malformation(name) === undefined) ?? names[0];
}

const notUtf8 = '\ufffd';

/** Many servers write UTF-8, and Node reads headers as Latin-1. */
function asWritten(header: string): string {
  const text = Buffer.from(header, 'latin1').toString();
  return text.includes(notUtf8) ? header : text;
}

/** `undefined` if it isn't percent-encoded UTF-8. */
function decoded(text = ''): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
