/**
 * Amounts are whole ten-thousandths of a ruble: prices have up to four decimals, and sums of 100,000 of
 * them stay exact.
 */
export type Units = number;

const perRuble = 10_000;

export const currency = 'RUB';

/** The largest amount that is still exact. */
export const mostRubles = 100_000_000_000;

export const toUnits = (rubles: number): Units => Math.round(rubles * perRuble);
export const fromUnits = (units: Units): number => units / perRuble;
