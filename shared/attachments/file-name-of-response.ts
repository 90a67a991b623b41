/**
 * From the server (RFC 6266, with RFC 8187's encoding), or else the last part of the URL. `fileNameFault` judges it.
 */
export function fileNameOf(disposition: string | undefined, url: URL): string | undefined {
  const [, encoded] = /;\s*filename\*\s*=\s*UTF-8'[^']*'([^;\s]+)/i.exec(disposition ?? '') ?? [];
  const [, quoted, plain] =
    /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/i.exec(disposition ?? '') ?? [];
  const last = url.pathname.slice(url.pathname.lastIndexOf('/') + 1);
  const given = decoded(encoded) ?? quoted?.replaceAll(/\\(.)/g, '$1') ?? plain ?? decoded(last);
  return given === '' ? undefined : given;
}

/** `undefined` if it isn't percent-encoded UTF-8. */
function decoded(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
