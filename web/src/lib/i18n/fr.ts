import type { Table } from "./index.svelte"; export const fr: Table = {} as Table;
