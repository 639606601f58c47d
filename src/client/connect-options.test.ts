// Proves that connect() refuses options that it does not know: with a misspelt `url` it would open a store
// of this machine instead of a server. It must refuse before anything is opened.
import { expect, it } from "vitest";
import { connect } from "../client.ts";
import { connect as connectOverHttp } from "../http.ts";

it("connect() refuses an option that it does not know, before it opens anything", async () => {
  const misspelt = { uri: "http://127.0.0.1:7350" } as object;
  await expect(connect(misspelt)).rejects.toMatchObject({
    page: "PAWL5001",
    message: 'connect() without url has no option "uri"; did you mean "url"?',
  });
  for (const no of ["http://127.0.0.1:7350", null] as never[])
    await expect(connect(no)).rejects.toMatchObject({ page: "PAWL5001", message: expect.stringContaining("takes an object of options") });
  const withUrl = { url: "http://127.0.0.1:7350", tokn: "pawl_x" };
  for (const open of [connect, connectOverHttp])
    await expect(open(withUrl)).rejects.toMatchObject({
      page: "PAWL5001",
      message: 'connect() has no option "tokn"; did you mean "token"?',
    });
});
