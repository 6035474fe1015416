-- Requests the findings of open documents again.

local M = {}

---Called when a server asks for a refresh. Neovim 0.11 ignores that. Neovim 0.12 requests the findings of the workspace
---only, and ignores those of the documents that are open.
---@param id integer the client
function M.pull(id)
  local client = vim.lsp.get_client_by_id(id)
  if client == nil then
    return
  end
  local identifier = vim.tbl_get(client.server_capabilities, 'diagnosticProvider', 'identifier')
  for bufnr in pairs(client.attached_buffers) do
    if vim.api.nvim_buf_is_loaded(bufnr) then
      local document = vim.lsp.util.make_text_document_params(bufnr)
      client:request('textDocument/diagnostic', { textDocument = document, identifier = identifier }, nil, bufnr)
    end
  end
end

return M
