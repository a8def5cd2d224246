import { group, leaf, type Xml } from "../xml/write-xml.ts";

/** What can be asked of the authority's service, with the parameters in the order of its WSDL. */
interface Parameters {
  SendBillSync: { fileName: string; contentFile: string };
  SendBillAsync: { fileName: string; contentFile: string };
  SendTestSetAsync: { fileName: string; contentFile: string; testSetId: string };
  GetStatus: { trackId: string };
  GetStatusZip: { trackId: string };
  GetXmlByDocumentKey: { trackId: string };
  GetNumberingRange: { accountCode: string; accountCodeT: string; softwareCode: string };
  GetAcquirer: { identificationType: string; identificationNumber: string };
}

export type Operation = keyof Parameters;
export type ParametersOf<O extends Operation> = Parameters[O];

const parameterNames: { readonly [O in Operation]: readonly (keyof Parameters[O] & string)[] } = {
  SendBillSync: ["fileName", "contentFile"],
  SendBillAsync: ["fileName", "contentFile"],
  SendTestSetAsync: ["fileName", "contentFile", "testSetId"],
  GetStatus: ["trackId"],
  GetStatusZip: ["trackId"],
  GetXmlByDocumentKey: ["trackId"],
  GetNumberingRange: ["accountCode", "accountCodeT", "softwareCode"],
  GetAcquirer: ["identificationType", "identificationNumber"],
};

export function operationBody<O extends Operation>(operation: O, parameters: ParametersOf<O>): Xml {
  const leaves = parameterNames[operation].map((name) => leaf(`wcf:${name}`, String(parameters[name])));
  return group(`wcf:${operation}`, ...leaves);
}

export function actionOf(operation: Operation): string {
  return `http://wcf.dian.colombia/IWcfDianCustomerServices/${operation}`;
}
