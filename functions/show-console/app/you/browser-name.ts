const browsers = [
  ['Edg', 'Edge'],
  ['OPR', 'Opera'],
  ['Firefox', 'Firefox'],
  ['Chrome', 'Chrome'],
  ['Safari', 'Safari'],
] as const;
const systems = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['Mac', 'Mac'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
] as const;

/** As a start: browsers name themselves after each other, the more special ones first. */
export function browserName({ userAgent }: Pick<Navigator, 'userAgent'> = navigator): string {
  const nameIn = (names: readonly (readonly [sign: string, name: string])[]) =>
    names.find(([sign]) => userAgent.includes(sign))?.[1];
  const system = nameIn(systems);
  return `${nameIn(browsers) ?? 'Browser'}${system ? ` on ${system}` : ''}`;
}
