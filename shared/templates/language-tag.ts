/** No tag in use is longer (RFC 5646 §4.4.1). */
const maxLocaleLength = 35;

/** In BCP 47's spelling: `de_at` becomes `de-AT`. */
export function canonicalLocale(text: string): string | undefined {
  if (text.length > maxLocaleLength) return undefined;
  try {
    return new Intl.Locale(text.replaceAll('_', '-')).baseName;
  } catch {
    return undefined;
  }
}

/** Best first (RFC 4647 §3.4, "Lookup"): `de-Latn-AT`, `de-Latn`, `de`. The template's own language comes last. */
export function localeChain(locale: string): readonly string[] {
  const subtags = locale.split('-');
  return subtags.map((_, dropped) => subtags.slice(0, subtags.length - dropped).join('-'));
}
